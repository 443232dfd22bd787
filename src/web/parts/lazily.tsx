import { type ComponentType, lazy, Suspense } from 'react';

/** A part of a page whose script loads once it shows; nothing shows meanwhile. */
export function lazily<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part = lazy(load) as unknown as ComponentType<Props>;
  return (props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}
