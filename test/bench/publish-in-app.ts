import { startProduct, untilTrue } from './product.ts';
import { report } from './report.ts';

const COUNT = Number(process.env.COUNT ?? 100_000);

/** Publish → last of COUNT in-app messages in their inboxes; one worker of each kind, nobody with an address. */
export async function publishInApp(): Promise<void> {
  const product = await startProduct(['relay', 'fan-out', 'in-app']);
  try {
    await product.addContacts(COUNT, () => ({}));
    const before = product.usage();
    const { publishedAt } = await product.publishNew();
    const inbox = product.database.collection('inbox');
    const took = await untilTrue(async () => (await inbox.estimatedDocumentCount()) >= COUNT, publishedAt);
    report(`${COUNT} in-app messages`, COUNT, took, before, product.usage());
  } finally {
    await product.end();
  }
}
