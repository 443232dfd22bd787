import { useRouter } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { id: string; [data: `data-${string}`]: unknown };

/** Leads to the page of an event. As plain as it gets: a calendar has hundreds of them. */
export function EventLink({ id, onClick, ...rest }: Props) {
  const router = useRouter();
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isOurs = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isOurs) return;
    event.preventDefault();
    void router.navigate({ to: '/events/$id', params: { id } });
  };
  return <a {...rest} href={`/events/${id}`} onClick={go} />;
}
