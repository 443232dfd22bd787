import { useInfiniteQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { listQuery } from '../api/queries.ts';
import type { Fact } from '../api/types.ts';
import { List, Section } from '../parts/page.tsx';
import { same } from '../parts/same.ts';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

type Line = { fact: Fact; count: number };

/** Merges consecutive edits, and facts about people, of one type and person into a line with the latest time. */
function mergedFacts(facts: readonly Fact[]): Line[] {
  const lines: Line[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    const isAgain = last?.fact.type === fact.type && same(last.fact.actor, fact.actor);
    if (last && isAgain && /^(registration\.|acknowledgement\.|event\.edited)/.test(fact.type)) last.count += 1;
    else lines.push({ fact, count: 1 });
  }
  return lines;
}

/** History of the event, newest first. */
export function Timeline({ id }: { id: string }) {
  const facts = useInfiniteQuery(
    listQuery(['event', id, 'timeline'], '/api/v1/operations/events/{id}/timeline', {
      path: { id },
      query: { limit: 20 },
    }),
  );
  return (
    <Section title={t('event.timeline')} icon={History}>
      <List
        query={{ ...facts, data: facts.data && mergedFacts(facts.data) }}
        none={null}
        className="ml-1.5 grid gap-3 border-l border-line pl-4"
      >
        {(line) => <Entry key={line.fact.id} {...line} />}
      </List>
    </Section>
  );
}

function Entry({ fact: { type, occurred_at, actor, data }, count }: Line) {
  const { reason, missed } = data as { reason?: string | null; missed?: string };
  const who = actor === 'system' ? t('timeline.system') : (actor?.name ?? '');
  return (
    <li className="relative">
      <span
        aria-hidden
        className="absolute top-1.5 -left-[1.3125rem] size-2.5 rounded-full border-2 border-card bg-edge"
      />
      <p>
        {word('fact', missed ? 'reminder.missed' : type)}
        {count > 1 && <span className="text-soft tabular-nums"> × {count}</span>}
        {reason && <span className="text-soft">: {reason}</span>}
      </p>
      <p className="text-sm text-soft">
        <time dateTime={occurred_at}>{momentIn(occurred_at)}</time>
        {who && ` · ${who}`}
      </p>
    </li>
  );
}
