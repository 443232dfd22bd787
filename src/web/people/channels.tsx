import { useMutation, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useMay } from '../api/queries.ts';
import { Badge } from '../event-parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { List, Section } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { channelsQuery, liftSuppression, type PersonChannel } from './data.ts';

/** The channels that reach a person, with their addresses and what stops messages. */
export function Channels({ user_id }: { user_id: string }) {
  const channels = useQuery(channelsQuery(user_id));
  return (
    <Section title={t('person.channels')} icon={Send}>
      <List query={channels} lines={3} none={null} className="grid gap-3">
        {(row) => <Channel key={row.channel} {...row} />}
      </List>
    </Section>
  );
}

function Channel({ channel, address, browsers, opted_out, suppression }: PersonChannel) {
  const other = channel === 'push' ? t('person.browsers', { count: browsers }) : t(`person.missing.${channel}`);
  return (
    <li className="grid gap-0.5 border-t border-line pt-3 first:border-t-0 first:pt-0">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className="font-medium">{word('channel', channel)}</span>
        <span className="min-w-0 break-words text-soft">{address ?? other}</span>
        {suppression && <Badge look="bg-bad-soft text-bad" text={t(`person.${suppression.kind}`)} />}
      </p>
      {opted_out.length > 0 && (
        <p className="text-sm text-soft">
          {opted_out.includes('*')
            ? t('person.optedOutOfAll')
            : t('person.optedOut', { what: opted_out.map((one) => word('trigger', one)).join(', ') })}
        </p>
      )}
      {suppression && <Suppressed suppression={suppression} />}
    </li>
  );
}

function Suppressed({ suppression }: { suppression: NonNullable<PersonChannel['suppression']> }) {
  const { id, kind, since, until, why } = suppression;
  const mayLift = useMay('manage_deliveries');
  const lift = useMutation({ mutationFn: () => liftSuppression(id), onSuccess: () => showNotice(t('person.lifted')) });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span>
        {t(`person.${kind}.since`, { since: momentIn(since), why })}{' '}
        {until && t('person.until', { until: momentIn(until) })}
      </span>
      {mayLift && (
        <Button className="min-h-8 text-sm" busy={lift.isPending} onClick={() => lift.mutate()}>
          {t('person.lift')}
        </Button>
      )}
    </div>
  );
}
