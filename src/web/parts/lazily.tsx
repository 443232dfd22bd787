import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { withOtherTexts } from '../texts/texts.ts';
import { showFailure } from './notices.tsx';

type Loaded<Props extends object> = { default: ComponentType<Props> };

/**
 * A part of a page whose script loads once it shows; nothing shows meanwhile. If the script can't be loaded, a notice says so
 * and the page stays with what was typed in it. The notice offers a reload: a newer version of the server may not have the
 * script, and older browsers do not ask for it a second time.
 */
export function lazily<Props extends object>(load: () => Promise<Loaded<Props>>) {
  const attempt = () =>
    lazy(() =>
      withOtherTexts(load()).catch((error: unknown): Loaded<Props> => {
        Part = attempt();
        showFailure(error, { again: () => window.location.reload() });
        return { default: Missing };
      }),
    ) as unknown as ComponentType<Props>;
  let Part = attempt();
  return (props: Props) => {
    // One attempt for each time that it shows, however often it renders.
    const [Current] = useState(() => Part);
    return (
      <Suspense>
        <Current {...props} />
      </Suspense>
    );
  };
}

/** Closes a dialog whose script is missing, so that it can be asked for again. */
function Missing({ onClose }: { onClose?: () => void }): null {
  useEffect(() => onClose?.(), [onClose]);
  return null;
}
