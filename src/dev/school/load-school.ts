import type { Asker } from '../api-client.ts';
import type { Progress } from '../progress.ts';
import type { System } from '../system.ts';
import { contactLine, type DemoPerson } from './demo-person.ts';
import { DEMO_SCHOOL } from './demo-school.ts';

/** Who the demo speaks as: a member of staff who may do everything, and every person for themselves. */
export type Voices = { staff: string; of: ReadonlyMap<string, string> };

/** Tells the service about the demo school, through the public API: settings, people, their wishes and their browsers. */
export async function loadSchool(options: {
  ask: Asker;
  voices: Voices;
  directory: readonly DemoPerson[];
  system: Pick<System, 'push' | 'vapidPublicKey'>;
  progress: Progress;
}): Promise<void> {
  const { ask, voices, directory, system, progress } = options;
  const as = ({ user_id }: DemoPerson) => voices.of.get(user_id) ?? '';

  await progress.step(`Describe the school and import ${directory.length} people`, async ({ result }) => {
    await ask(voices.staff, '/operations/school', { method: 'PUT', body: DEMO_SCHOOL });
    const { body } = await ask<{ inserted: number; faulty_count: number }>(
      voices.staff,
      '/operations/contacts/import',
      { method: 'POST', body: directory.map(contactLine).join('\n') },
    );
    if (body.inserted !== directory.length) throw new Error(`the import answered ${JSON.stringify(body)}`);
    const count = (role: string) => directory.filter(({ roles }) => roles.some((one) => one === role)).length;
    result(
      `${count('student')} students, ${count('parent')} parents, ${count('staff')} staff, ${count('external')} visitor`,
    );
  });

  const choosy = directory.filter(({ opted_out }) => opted_out.length > 0);
  const subscribers = directory.filter(({ push }) => push);
  await progress.step('Let people say what they want, and subscribe browsers', async ({ result }) => {
    await Promise.all([
      ...choosy.map((person) =>
        ask(as(person), '/me/preferences', { method: 'PUT', body: { opted_out: person.opted_out } }),
      ),
      ...subscribers.map((person) =>
        ask(as(person), '/me/push_subscriptions', {
          method: 'POST',
          body: system.push.subscribe(person.user_id, system.vapidPublicKey),
          status: 201,
        }),
      ),
    ]);
    result(`${choosy.length} opt-outs, ${subscribers.length} browsers`);
  });
}
