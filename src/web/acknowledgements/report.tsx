import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { BookOpenCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import type { Acknowledged, AcknowledgedCounts, Reminding, SchoolEvent } from '../api/types.ts';
import { AskDialog } from '../parts/ask.tsx';
import { Button, ButtonLink, Chip } from '../parts/button.tsx';
import { ChannelBoxes } from '../parts/forms/channel-boxes.tsx';
import { Select } from '../parts/forms/field.tsx';
import { REMINDER_HOURS } from '../parts/forms/reminder-field.tsx';
import { SearchBox } from '../parts/forms/search-box.tsx';
import { showNotice } from '../parts/notices.tsx';
import { List, Loaded, Section } from '../parts/page.tsx';
import { listKey, reportList, reportQuery, type Subject } from '../reports/report.ts';
import { momentIn } from '../texts/dates.ts';
import { groupName, numberText, t, word } from '../texts/texts.ts';
import { remind } from './data.ts';

const STATES = ['open', 'confirmed'] as const;
type State = (typeof STATES)[number];

/** Families and other people confirm while staff watch. */
const REFETCH_MS = 15_000;

type About = { about: Subject };
/** `reminder`: when and how people who have not confirmed are reminded automatically. */
type Props = About & { reminder?: SchoolEvent['acknowledgement_reminder'] };

/** For staff: how many people have confirmed having read it, and who has not, by class and name. */
export function Acknowledgements({ about, reminder = null }: Props) {
  const counts = useQuery({
    ...reportQuery(about, 'acknowledgements', { limit: 1 }),
    refetchInterval: REFETCH_MS,
  });
  const numbers = counts.data && JSON.stringify(counts.data.counts);
  const { kind, id } = about;
  // The list is read again only when they change, because the server reads the whole audience for each of its pages.
  useEffect(() => {
    const queryKey = listKey({ kind, id }, 'acknowledgements');
    if (numbers) void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  }, [numbers, kind, id]);
  return (
    <Section title={t('acknowledgements.title')} icon={BookOpenCheck}>
      <Loaded query={counts}>{(data) => <Report about={about} {...data} />}</Loaded>
      {reminder && (
        <p className="mt-2 text-sm text-soft">
          {t('acknowledgements.rule', {
            hours: reminder.after_hours,
            channels: reminder.channels.map((channel) => word('channel', channel)).join(', '),
          })}
        </p>
      )}
    </Section>
  );
}

function Report({ about, counts, classes }: About & AcknowledgedCounts) {
  const [state, setState] = useState<State>('open');
  const [class_id, setClass] = useState('');
  const [name, setName] = useState('');
  const [isReminding, setReminding] = useState(false);
  const all = counts.confirmed + counts.open;
  if (all === 0) return <p className="text-soft">{t('acknowledgements.noOne')}</p>;
  const ofClass = classes.find((one) => one.class_id === class_id) ?? counts;
  return (
    <div className="grid gap-3">
      <p>
        <strong className="text-2xl font-semibold tabular-nums">{numberText(counts.confirmed)}</strong>{' '}
        {t('acknowledgements.of', { all, confirmed: counts.confirmed })}
      </p>
      {counts.open > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setReminding(true)}>{t('asks.remind')}</Button>
          <ButtonLink to="/calls/$kind/$id" params={about}>
            {t('calls.title')}
          </ButtonLink>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-1.5">
        {STATES.map((one) => (
          <Chip key={one} pressed={state === one} onClick={() => setState(one)}>
            {t(`acknowledgements.${one}`)} <span className="tabular-nums">{numberText(ofClass[one])}</span>
          </Chip>
        ))}
        <SearchBox value={name} onChange={setName} />
      </div>
      {classes.length > 1 && (
        <Select
          label={t('filter.class')}
          value={class_id}
          onChange={setClass}
          none={t('filter.allClasses')}
          options={classes.map(({ class_id: value, confirmed, open }) => ({
            value,
            label: t('acknowledgements.class', { name: groupName(value), confirmed, all: confirmed + open }),
          }))}
        />
      )}
      <People about={about} state={state} class_id={class_id} name={name} />
      {isReminding && <RemindDialog about={about} open={counts.open} onClose={() => setReminding(false)} />}
    </div>
  );
}

function People({ about, state, class_id, name }: About & { state: State; class_id: string; name: string }) {
  const query = { state, class_id: class_id || undefined, name: name || undefined, limit: 50 };
  const people = useInfiniteQuery({
    ...reportList(about, 'acknowledgements', query),
    placeholderData: keepPreviousData,
  });
  return (
    <List query={people} none={t('acknowledgements.none')} className="">
      {(row) => <Person key={row.user_id} row={row} />}
    </List>
  );
}

function Person({ row: { user_id, name, class_ids, readers, acknowledgement: given } }: { row: Acknowledged }) {
  const family = readers.filter((reader) => reader.user_id !== user_id).map((reader) => reader.name);
  const by = given && given.by.user_id !== user_id ? given.by.name : null;
  const details = given
    ? [t(`acknowledgements.by.${given.channel}`), by, momentIn(given.at), given.note]
    : [family.join(', ')];
  return (
    <li className="border-t border-line py-1.5 first:border-t-0">
      <span className="font-medium">{name}</span>{' '}
      <span className="text-soft">{class_ids.map(groupName).join(', ')}</span>
      <span className="block text-sm text-soft">{details.filter(Boolean).join(' · ')}</span>
    </li>
  );
}

/** Asks when and how to remind the people who have not confirmed. */
function RemindDialog({ about, open, onClose }: { about: Subject; open: number; onClose: () => void }) {
  const [hours, setHours] = useState<number>(0);
  const [channels, setChannels] = useState<NonNullable<Reminding['channels']>>([]);
  const body = { channels: channels.length > 0 ? channels : undefined, after_hours: hours || undefined };
  return (
    <AskDialog
      title={t('asks.remind')}
      confirm={t(hours > 0 ? 'acknowledgements.plan' : 'acknowledgements.send')}
      run={() => remind(about, body)}
      onDone={() => showNotice(t(hours > 0 ? 'acknowledgements.planned' : 'acknowledgements.reminded'))}
      onClose={onClose}
    >
      <p>{t('acknowledgements.remindText', { open })}</p>
      <Select
        label={t('event.schedule')}
        value={hours}
        onChange={setHours}
        options={REMINDER_HOURS.map((value) => ({ value, label: t('acknowledgements.later', { hours: value }) }))}
        hint={hours > 0 ? t('acknowledgements.laterHint') : undefined}
      />
      <ChannelBoxes value={channels} onChange={setChannels} />
      <p className="text-sm text-soft">{t('acknowledgements.channelsHint')}</p>
    </AskDialog>
  );
}
