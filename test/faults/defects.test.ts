import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { E, EACH_WORKER, type OwnWorld, startWorld } from '../support/world.ts';
import { latest, momentOf } from './harness/crew.ts';
import { defectiveBuild } from './harness/defective-build.ts';
import { DEFECTS, type Defect } from './harness/defects.ts';
import { waitForRest } from './harness/expect-promises.ts';
import { backlogOf, checkSchool, type Findings } from './harness/findings.ts';
import { type Row, row } from './harness/row.ts';
import { openSchool, type School } from './harness/school.ts';

// The checks of the other rows prove nothing unless they find planted defects.

const PEOPLE = 60;

type Checked = { findings: Findings; copies: Record<string, number> };

/** Runs a scenario on a product with a planted defect. @returns the findings of the checks */
async function checkDefective(
  { random, note }: Row,
  name: string,
  defects: readonly Defect[],
  scenario: (world: OwnWorld, school: School) => Promise<unknown>,
): Promise<Checked> {
  const { folder, remove } = await defectiveBuild(name, defects);
  let world: OwnWorld | null = null;
  try {
    world = await startWorld({ build: folder, start: EACH_WORKER });
    const school = await openSchool(world, { people: PEOPLE, random });
    await scenario(world, school);
    await waitForRest(world, [school]);
    const checked = await checkSchool(world, school);
    const found = Object.entries(checked.findings).filter(([, all]) => all.length > 0);
    note(Object.fromEntries(found.map(([kind, all]) => [kind, all.length])));
    note({ copies: Object.values(checked.copies).reduce((sum, count) => sum + count, 0) });
    return checked;
  } finally {
    await world?.end();
    remove();
  }
}

row('defect-no-key', 'the checks find copies when deliveries have no unique key and facts are replayed', async (it) => {
  const { copies } = await checkDefective(it, 'no-key', [DEFECTS.noKey], async (world, school) => {
    await school.announce();
    await waitForRest(world, [school]);
    const { tenant_id } = school.scope;
    await world.database
      .collection('facts')
      .updateMany({ tenant_id } as never, { $set: { relay: 'pending' } as never });
    while ((await backlogOf(world, school)).length === 0) await delay(20);
  });
  expect(copies.email).toBe(PEOPLE);
});

row(
  'defect-mark-first',
  'the checks find lost mails when they are recorded as sent before they are sent and the worker is killed',
  async (it) => {
    const { findings } = await checkDefective(it, 'mark-first', [DEFECTS.markFirst], async (world, school) => {
      const moment = momentOf(it.random.int(5, PEOPLE / 2), () => latest(world, 'email').send('SIGKILL'));
      world.smtp.misbehave((phase) => {
        if (phase === 'rcpt') moment.call();
        return undefined;
      });
      await school.announce();
      await moment.reached;
      await world.start('email');
    });
    expect(findings.lost.length).toBeGreaterThan(0);
  },
);

row('defect-no-version', 'the checks find outdated notices when the gate ignores versions', async (it) => {
  const { findings } = await checkDefective(it, 'no-version', [DEFECTS.noVersion], async (world, school) => {
    const event = await school.openEvent();
    await school.register(event, school.people);
    await waitForRest(world, [school]);
    await latest(world, 'email').stop();
    school.allow(event, 'event.postponed', ['email', 'sms', 'in_app'], school.people);
    const postpone = async (days: number) => {
      const new_start_date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      await school.ask(`${E}/${event}/postpone`, { new_start_date, reason: 'Rain' });
      await school.ask(`${E}/${event}/publish`);
    };
    await postpone(20);
    const notices = { event_id: event, channel: 'email', trigger: 'event.postponed' };
    while ((await world.deliveries(notices)).length < PEOPLE) await delay(50);
    // The first notices are sent after the second change and before its notices exist: those would wait for each other.
    await latest(world, 'fan-out').stop();
    await postpone(30);
    await world.start('email');
    while ((await world.deliveries({ ...notices, status: 'sent' })).length < PEOPLE) await delay(50);
    await world.start('fan-out');
  });
  expect(findings.repeated.length).toBeGreaterThan(0);
});

row(
  'defect-tail-first',
  'the checks find promotion out of order when it starts from the tail of the waitlist',
  async (it) => {
    const { findings } = await checkDefective(it, 'tail-first', [DEFECTS.tailFirst], async (_world, school) => {
      const event = await school.openEvent(5);
      await school.register(event, school.people.slice(0, 20));
      const seated = school.ledger.registered.filter(({ status }) => status === 'confirmed');
      await school.leave(seated.slice(0, 2));
    });
    expect(findings.seats.join('\n')).toContain('was promoted');
  },
);
