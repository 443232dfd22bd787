import { lazy, Suspense } from 'react';
import type { MenuProps } from './menu-list.tsx';

const MenuList = lazy(() => import('./menu-list.tsx'));

/** A menu behind a button. What opens it is fetched after the page itself has been painted. */
export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={props.trigger}>
      <MenuList {...props} />
    </Suspense>
  );
}
