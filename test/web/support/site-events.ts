import { expect } from 'vitest';
import { E, type World } from '../../support/world.ts';

/** Steps of an event, each with its body if it needs one. */
export type Steps = readonly (readonly [step: string, body?: object])[];

/** Creates an event and takes these steps with it, by default publishes it. @returns its id */
export async function createEvent(world: World, fields: object, steps: Steps = [['publish']]): Promise<string> {
  const { body, status } = await world.call('POST', E, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  for (const [step, given = {}] of steps) {
    const taken = await world.call('POST', `${E}/${body.id}/${step}`, given);
    expect(taken.status, `${step}: ${JSON.stringify(taken.body)}`).toBe(200);
  }
  return String(body.id);
}

/** Describes the school of a site: its name, zone and language. */
export const describeSchool = (world: World, timezone: string) =>
  world.call('PUT', '/api/v1/operations/school', { name: 'Lipová', timezone, locale: 'en' });
