import { createAtom, useSelector } from '@tanstack/react-store';
import type { Me } from '../api/types.ts';
import { lazily } from '../parts/lazily.tsx';
import { viewedAs } from '../session/stored.ts';

const Banner = lazily(() => import('./banner.tsx'));
const ViewAsDialog = lazily(() => import('./dialog.tsx'));

const isOpenStore = createAtom(false);

export const askViewAs = (): void => isOpenStore.set(true);

/** The question as whom to see the calendar, which the account menu opens. */
export const ViewAsHost = () => useSelector(isOpenStore) && <ViewAsDialog onClose={() => isOpenStore.set(false)} />;

/** The mark of a view on every page; nothing in one's own view. */
export const ViewBanner = ({ me }: { me: Me | undefined }) => viewedAs() !== null && <Banner me={me} />;
