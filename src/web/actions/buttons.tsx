import { useNavigate } from '@tanstack/react-router';
import {
  Ban,
  CalendarClock,
  CircleCheck,
  Copy,
  Ellipsis,
  EyeOff,
  Megaphone,
  MoveRight,
  Pencil,
  Play,
  Share2,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useState } from 'react';
import type { Action, SchoolEvent } from '../api/types.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { copyText } from '../parts/copy-text.ts';
import { lazily } from '../parts/lazily.tsx';
import { Menu } from '../parts/menu.tsx';
import { t, word } from '../texts/texts.ts';
import { DANGEROUS } from './perform.ts';

const ActionDialog = lazily(() => import('./dialog.tsx'));
const MoveDialog = lazily(() => import('./move-dialog.tsx'));
const SaveTemplateDialog = lazily(() => import('../templates/save-dialog.tsx'));

/** Not `schedule`: the dialog of Publish asks when. */
type Offered = Exclude<Action, 'schedule'>;

const PICTURES: Record<Offered, typeof Ban> = {
  edit: Pencil,
  publish: Megaphone,
  unpublish: EyeOff,
  cancel: Ban,
  postpone: CalendarClock,
  return: Undo2,
  start: Play,
  complete: CircleCheck,
  duplicate: Copy,
  delete: Trash2,
  share: Share2,
};

/** Actions shown as buttons when allowed; the menu holds the others. */
const MAIN: readonly Offered[] = ['publish', 'edit', 'share'];

/**
 * The actions that the API allows on an event: the main ones as buttons, the others in a menu. The menu also lists actions
 * that a permission or a taken place forbids, with the reason; `compact` leaves these out.
 */
export function ActionButtons({ event, compact = false }: { event: SchoolEvent; compact?: boolean }) {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Offered | 'move' | 'template' | null>(null);
  const close = () => setAsked(null);
  const { register: _, schedule: __, ...refused } = event.refusal_codes;
  const allowed = event.allowed_actions.filter((action) => action !== 'register' && action !== 'schedule');

  const run = (action: Offered) => {
    if (action === 'edit') return void navigate({ to: '/events/$id/edit', params: { id: event.id } });
    if (action === 'share') return void share(event);
    setAsked(action);
  };
  const shown = allowed.filter((action) => MAIN.includes(action)).slice(0, compact ? 1 : MAIN.length);
  const manages = allowed.some((action) => action !== 'share');
  const rest = [
    ...(allowed.includes('edit') ? [{ label: t('move.to'), icon: MoveRight, onSelect: () => setAsked('move') }] : []),
    ...allowed
      .filter((action) => !shown.includes(action))
      .map((action) => ({
        label: word('action', action),
        icon: PICTURES[action],
        danger: DANGEROUS.includes(action),
        onSelect: () => run(action),
      })),
    ...(allowed.includes('duplicate')
      ? [{ label: t('action.template'), icon: Copy, onSelect: () => setAsked('template') }]
      : []),
    ...(compact || !manages ? [] : (Object.entries(refused) as [Offered, string][])).flatMap(([action, code]) => {
      const hint = refusedText(action, code);
      if (hint === null) return [];
      return { label: word('action', action), icon: PICTURES[action], hint, disabled: true, onSelect: () => {} };
    }),
  ];
  return (
    <>
      {shown.map((action) => (
        <Button
          key={action}
          look={action === 'publish' && !compact ? 'main' : 'plain'}
          icon={PICTURES[action]}
          onClick={() => run(action)}
        >
          {word('action', action)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Menu
          label={t('actions.more')}
          items={rest}
          trigger={<IconButton look="plain" label={t('actions.more')} icon={Ellipsis} />}
        />
      )}
      {asked === 'move' ? (
        <MoveDialog event={event} onClose={close} />
      ) : asked === 'template' ? (
        <SaveTemplateDialog event={event} onClose={close} />
      ) : (
        asked && <ActionDialog event={event} action={asked} onClose={close} />
      )}
    </>
  );
}

/** Why an action is forbidden, in the user's language; null for one that does not fit the status, which we hide. */
function refusedText(action: Action, code: string): string | null {
  if (code === 'forbidden') return t('actions.refusedPermission');
  // Every status allows deleting, so only taken places are left as the reason.
  return action === 'delete' ? t('actions.refusedPlaces') : null;
}

async function share({ share_url, title }: SchoolEvent): Promise<void> {
  if (!share_url) return;
  // Phones have a share sheet; elsewhere we copy the link.
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    await navigator.share({ title, url: share_url }).catch(() => {});
    return;
  }
  await copyText(share_url);
}
