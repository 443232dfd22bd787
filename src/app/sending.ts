import { loadLinkSecret } from '../mongo/people/secret-store.ts';
import { cachedContents } from '../notifications/delivery/compose.ts';
import type { SendDeps } from '../notifications/delivery/evaluate.ts';
import { signedLinks } from '../people/links.ts';
import { texts, textsOf } from './adapters.ts';
import type { ChannelSection } from './config/config.ts';
import { deliveryReport } from './delivery-report.ts';
import type { ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';

/** What a process needs to compose messages and to record their results: its stores, texts, links and report. */
export async function openSending(context: ProcessContext<'links' | ChannelSection>, stores: Stores) {
  const { email, links, leaseMs } = context.config;
  const known = await texts();
  return {
    ...stores,
    textVersion: known.version,
    readyTexts: textsOf(known, stores.texts),
    contentOf: cachedContents(),
    links: signedLinks(await loadLinkSecret(stores.database)),
    publicUrl: links.publicUrl,
    replyDomain: email?.replyDomain ?? null,
    leaseMs,
    report: deliveryReport(context, stores),
  } satisfies SendDeps & Record<string, unknown>;
}
