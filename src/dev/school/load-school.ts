import type { ApiClient } from '../api-client.ts';
import type { Progress } from '../progress.ts';
import type { System } from '../system.ts';
import { contactLine, type DemoPerson } from './demo-person.ts';
import { DEMO_SCHOOL } from './demo-school.ts';

/** Tokens of a member of staff with every permission, and of each person of the directory. */
export type Tokens = { staff: string; of: (user_id: string) => string };

/** The running product and the people of its demo school. */
export type Scene = {
  ask: ApiClient;
  tokens: Tokens;
  directory: readonly DemoPerson[];
  system: System;
  progress: Progress;
  signal: AbortSignal;
};

/** Loads the demo school through the public API: settings, people, their preferences and push subscriptions. */
export async function loadSchool({ ask, tokens, directory, system, progress }: Scene): Promise<void> {
  await progress.step(`Describe the school and import ${directory.length} people`, async ({ result }) => {
    await ask(tokens.staff, '/operations/school', { method: 'PUT', body: DEMO_SCHOOL });
    const { body } = await ask<{ inserted: number }>(tokens.staff, '/operations/contacts/import', {
      method: 'POST',
      body: directory.map(contactLine).join('\n'),
    });
    if (body.inserted !== directory.length) throw new Error(`the import returned ${JSON.stringify(body)}`);
    const count = (role: string) => directory.filter(({ roles }) => roles.some((one) => one === role)).length;
    result(
      `${count('student')} students, ${count('parent')} parents, ${count('staff')} staff, ${count('external')} visitor`,
    );
  });

  const withOptOuts = directory.filter(({ opted_out }) => opted_out.length > 0);
  const subscribers = directory.filter(({ push }) => push);
  await progress.step('Set preferences and subscribe browsers', async ({ result }) => {
    await Promise.all([
      ...withOptOuts.map((person) =>
        ask(tokens.of(person.user_id), '/me/preferences', { method: 'PUT', body: { opted_out: person.opted_out } }),
      ),
      ...subscribers.map((person) =>
        ask(tokens.of(person.user_id), '/me/push_subscriptions', {
          method: 'POST',
          body: system.push.subscribe(person.user_id, system.vapidPublicKey),
          status: 201,
        }),
      ),
    ]);
    result(`${withOptOuts.length} opt-outs, ${subscribers.length} browsers`);
  });
}
