import { startProduct, untilTrue } from './product.ts';
import { report } from './report.ts';

const COUNT = Number(process.env.COUNT ?? 10_000);

/** Publish → last of COUNT e-mails accepted by the sink, and → last row settled; one worker of each kind. */
export async function publishEmail(): Promise<void> {
  const product = await startProduct(['relay', 'fan-out', 'email', 'in-app']);
  try {
    await product.addContacts(COUNT, (n) => ({ email: `person-${n}@people.example` }));
    const unsettled = async () => {
      const open = { status: { $in: ['waiting', 'claimed', 'sending'] } };
      return (await product.database.collection('deliveries').countDocuments(open as never, { limit: 1 })) > 0;
    };
    // Once before, so that code, connections and texts are warm.
    for (const round of [1, 2]) {
      const before = product.usage();
      const { publishedAt } = await product.publishNew();
      const took = await untilTrue(async () => (await product.sinkCount()) >= round * COUNT, publishedAt);
      const settled = await untilTrue(async () => !(await unsettled()), publishedAt);
      report(
        `round ${round}: ${COUNT} e-mails, all rows settled after ${Math.round(settled)} ms; last mail`,
        COUNT,
        took,
        before,
        product.usage(),
      );
    }
  } finally {
    await product.end();
  }
}
