import type { Texts } from '../channels/templates/catalogue.ts';
import type { TextStore } from '../notifications/content/text-ports.ts';
import type { DeliverDeps } from '../notifications/delivery/deliver.ts';
import type { FanOutDeps } from '../notifications/fan-out/fan-out.ts';

/** For processes that draft messages: stores their texts before the first draft. */
export async function keepTexts(texts: Texts, store: TextStore): Promise<Required<Pick<FanOutDeps, 'textVersion'>>> {
  await store.save(texts.all());
  return { textVersion: texts.version };
}

/** For processes that send messages: loads the texts of other program versions, each once. */
export const textsOf =
  (texts: Texts, store: TextStore): NonNullable<DeliverDeps['readyTexts']> =>
  async (rows) => {
    const ids = texts.missing(
      rows.map(({ tenant_id, trigger, locale, template_version }) => ({
        tenant_id,
        trigger,
        locale,
        texts: template_version ?? '',
      })),
    );
    if (ids.length > 0) texts.learn(ids, await store.find(ids));
  };
