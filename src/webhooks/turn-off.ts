import type { Clock } from '../core/clock.ts';
import type { Transact } from '../core/transaction.ts';
import type { TranslatedText } from '../messages/message.ts';
import { notifyAdministrators } from '../messages/notify-administrators.ts';
import type { Webhook, WebhookStore } from './webhook.ts';

export type TurnOffDeps = Parameters<typeof notifyAdministrators>[0] & {
  clock: Clock;
  transact: Transact;
  webhooks: Pick<WebhookStore, 'disable'>;
};

type Reason = NonNullable<Webhook['disabled_reason']>;

/** Turns a subscription off and notifies the administrators of the school. @returns false if it was off already */
export function turnOff(deps: TurnOffDeps, webhook: Webhook, reason: Reason): Promise<boolean> {
  return deps.transact(async (tx) => {
    const now = deps.clock.now();
    if (!(await deps.webhooks.disable(webhook.id, reason, now, tx))) return false;
    await notifyAdministrators(deps, webhook, noticeOf(webhook, reason), now, tx);
    return true;
  });
}

const WHY = {
  en: { gone: 'the other system wants no more messages.', failing: 'no message has arrived for five days.' },
  cs: { gone: 'druhý systém už žádné zprávy nechce.', failing: 'pět dní tam žádná zpráva nedorazila.' },
} as const satisfies Record<string, Record<Reason, string>>;

function noticeOf({ url }: Webhook, reason: Reason): TranslatedText {
  const cs = {
    subject: `Webhook je vypnutý: ${url}`,
    body: `Na adresu ${url} jsme přestali posílat změny: ${WHY.cs[reason]}\n\nZkontrolujte druhý systém a potom webhook znovu zapněte. Na stránce Škola uvidíte všechny nedoručené zprávy a můžete je poslat znovu.`,
  };
  return {
    subject: `Webhook turned off: ${url}`,
    body: `We no longer send changes to ${url}: ${WHY.en[reason]}\n\nCheck the other system, then turn the webhook on again. The page School shows every message that was not delivered, and can send it again.`,
    translations: { cs },
  };
}
