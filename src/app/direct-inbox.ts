import { loadLinkSecret } from '../mongo/people/secret-store.ts';
import { cachedContents } from '../notifications/content/content-cache.ts';
import type { DirectInboxDeps } from '../notifications/fan-out/direct-inbox-write.ts';
import { signedLinks } from '../people/links.ts';
import { texts } from './adapters.ts';
import { organizerAddressOf } from './channels.ts';
import { deliveryReport } from './delivery-report.ts';
import type { ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';

/** @returns undefined if in-app messages have a rate limit, because only the in-app worker applies it */
export async function openDirectInboxDeps(
  context: ProcessContext<'mongo' | 'redis' | 'links' | 'email'>,
  stores: Stores,
): Promise<DirectInboxDeps | undefined> {
  const { config } = context;
  if (config.rate.in_app !== null) return undefined;
  const { inboxEntryOf } = await import('../channels/in-app/in-app.ts');
  return {
    ...stores,
    links: signedLinks(await loadLinkSecret(stores.database)),
    publicUrl: config.links.publicUrl,
    organizerAddress: organizerAddressOf(config.email),
    contentOf: cachedContents(),
    entryOf: inboxEntryOf(await texts()),
    report: deliveryReport(context, stores),
  };
}
