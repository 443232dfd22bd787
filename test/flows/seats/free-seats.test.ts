import { expect, test } from 'vitest';
import { E, eventually, provideWorld, publishEvent, SCHOOL } from '../../support/world.ts';

const world = provideWorld({ start: ['api', 'waitlist'] });

async function withWaiting(seats: number, people: number): Promise<{ id: string; rids: string[] }> {
  const places = { registration_type: 'optional', max_attendees: seats, waitlist_enabled: true };
  const id = await publishEvent(world, places);
  const rids: string[] = [];
  for (let n = 0; n < people; n++) {
    const as = await world.token({ ...SCHOOL, user_id: `p${n}`, roles: ['student'] });
    const answer = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as });
    expect(answer.status).toBe(201);
    rids.push(String(answer.body.id));
  }
  return { id, rids };
}

const causes = async (id: string) => {
  const { body } = await world.call('GET', `${E}/${id}/registrations?status=confirmed`);
  return (body.data as unknown as { promoted_because: string | null }[]).map(
    ({ promoted_because }) => promoted_because,
  );
};

test('the waitlist worker promotes into free seats without a relay and records the cause', async () => {
  const { id, rids } = await withWaiting(3, 8);
  const left = await world.call('POST', `${E}/${id}/registrations/cancel`, { registration_ids: rids.slice(0, 2) });
  expect(left.status).toBe(202);
  await eventually('two are promoted', async () => (await causes(id)).length === 3);
  expect((await causes(id)).filter(Boolean)).toEqual(['many_cancelled', 'many_cancelled']);
  const raised = await world.call('PATCH', `${E}/${id}`, { max_attendees: 5 });
  expect(raised.status).toBe(200);
  await eventually('two more are promoted', async () => (await causes(id)).length === 5);
  expect((await causes(id)).filter((cause) => cause === 'capacity_raised')).toHaveLength(2);
});

test('the waitlist worker promotes into free seats while Redis is down', async () => {
  const { id, rids } = await withWaiting(2, 4);
  await world.redis.kill();
  await world.call('POST', `${E}/${id}/registrations/cancel`, { registration_ids: rids.slice(0, 2) });
  await eventually('both are promoted', async () => (await causes(id)).length === 2);
  await world.redis.restart();
});
