import { linkSecret } from '../mongo/people/secret-store.ts';
import { keptContents } from '../notifications/content/content-cache.ts';
import type { AtOnceDeps } from '../notifications/fan-out/direct-inbox-write.ts';
import { signedLinks } from '../people/links.ts';
import { texts } from './adapters.ts';
import { organizerAddressOf } from './channels.ts';
import { deliveryReport } from './delivery-report.ts';
import type { ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';

/** What a fan-out needs to put messages into inboxes itself; none where they have a rate: that is the worker's to keep. */
export async function openAtOnce(
  context: ProcessContext<'mongo' | 'redis' | 'links' | 'email'>,
  stores: Stores,
): Promise<AtOnceDeps | undefined> {
  const { config } = context;
  if (config.rate.in_app !== null) return undefined;
  const { inboxEntryOf } = await import('../channels/in-app/in-app.ts');
  return {
    ...stores,
    links: signedLinks(await linkSecret(stores.database)),
    publicUrl: config.links.publicUrl,
    organizerAddress: organizerAddressOf(config.email),
    contentOf: keptContents(),
    entryOf: inboxEntryOf(await texts()),
    report: deliveryReport(context, stores),
  };
}
