import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { id: string; [data: `data-${string}`]: unknown };

/** A link to an event. Plainer than the router's Link, since a calendar renders hundreds of them. */
export function EventLink({ id, onClick, ...rest }: Props) {
  const router = useRouter();
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlainClick) return;
    event.preventDefault();
    void router.navigate({ to: '/events/$id', params: { id } });
  };
  return <a {...rest} href={`/events/${id}`} onClick={go} />;
}
