import type { Clock } from '../core/clock.ts';
import { orNotFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { checkAddress } from '../core/public-address.ts';
import type { Transact, Tx } from '../core/transaction.ts';
import type { MessageStore, TranslatedText } from '../messages/message.ts';
import { notifyAdministrators } from '../messages/send-message.ts';
import type { FactDeps } from '../outbox/ports.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import { checkMost } from '../people/named-records.ts';
import { newSecret, rotatedSecrets } from './signature.ts';
import type { DisabledReason, Webhook, WebhookStore } from './webhook.ts';

type Deps = {
  clock: Clock;
  webhooks: WebhookStore;
  /** origins that the operator allows, also with http or at a private address */
  webhookOrigins: readonly string[];
};
type Fields = Pick<Webhook, 'url' | 'types' | 'description'>;

/** The limit of subscriptions per school. */
export const MOST_WEBHOOKS = 20;

/** @throws Refused `validation_failed` if the address is not allowed or the school has the most already */
export async function addWebhook(
  { clock, webhooks, webhookOrigins }: Deps,
  caller: Caller,
  fields: Fields,
): Promise<Webhook> {
  const scope = scopeOf(caller);
  checkAddress(fields.url, webhookOrigins);
  checkMost(await webhooks.list(scope), { most: MOST_WEBHOOKS, noun: 'webhooks' }, '/url');
  const webhook: Webhook = {
    ...scope,
    id: newId(),
    ...fields,
    ...ON,
    last_failure_at: null,
    secrets: [newSecret()],
    created_at: clock.now(),
  };
  await webhooks.insert(webhook);
  return webhook;
}

/** A subscription that was turned off, or has another address, starts without its old failures. */
const ON = { enabled: true, disabled_reason: null, disabled_at: null, failing_since: null } as const;

/** Changes the given fields. @throws Refused `not_found`, `validation_failed` if the address is not allowed */
export async function changeWebhook(
  { clock, webhooks, webhookOrigins }: Deps,
  caller: Caller,
  id: string,
  { enabled, ...fields }: Partial<Fields & Pick<Webhook, 'enabled'>>,
): Promise<Webhook> {
  if (fields.url !== undefined) checkAddress(fields.url, webhookOrigins);
  const before = orNotFound(await webhooks.find(scopeOf(caller), id));
  const since = (fields.url ?? before.url) === before.url ? {} : { failing_since: null };
  const isSame = (enabled ?? before.enabled) === before.enabled;
  const state = isSame ? since : enabled ? ON : { ...ON, enabled: false, disabled_at: clock.now() };
  return orNotFound(await webhooks.change(scopeOf(caller), id, { ...fields, ...state }));
}

/** Replaces the secret; the old one signs for another day. @throws Refused `not_found` */
export function rotateSecret(
  { clock, webhooks, transact }: Deps & { transact: Transact },
  caller: Caller,
  id: string,
): Promise<Webhook> {
  const scope = scopeOf(caller);
  return transact(async (tx) => {
    const { secrets } = orNotFound(await webhooks.find(scope, id, tx));
    return orNotFound(await webhooks.change(scope, id, { secrets: rotatedSecrets(secrets, clock.now()) }, tx));
  });
}

export type NoticeDeps = FactDeps & { messages: MessageStore; webhooks: WebhookStore };

/** Turns a subscription off and notifies the administrators of the school. @returns false if it was off already, or has another address */
export const turnOff = (deps: NoticeDeps, webhook: Webhook, reason: DisabledReason): Promise<boolean> =>
  notifyIf(deps, webhook, noticeOf(webhook, reason), (now, tx) => deps.webhooks.disable(webhook, reason, now, tx));

/**
 * Warns the administrators of the school of a subscription that has only failed since then.
 * @returns false if they have been warned, or the failures have ended
 */
export const warn = (deps: NoticeDeps, webhook: Webhook, failing_since: Date): Promise<boolean> =>
  notifyIf(deps, webhook, warningOf(webhook), (_now, tx) => deps.webhooks.noteWarning(webhook.id, failing_since, tx));

/** Notifies the administrators in the transaction of `change`, unless it changes nothing. @returns whether it did */
function notifyIf(
  deps: NoticeDeps,
  webhook: Webhook,
  { en, ...translations }: Notice,
  change: (now: Date, tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  return deps.transact(async (tx) => {
    const now = deps.clock.now();
    if (!(await change(now, tx))) return false;
    await notifyAdministrators(deps, webhook, { ...en, translations }, now, tx);
    return true;
  });
}

type Notice = Record<Locale, Pick<TranslatedText, 'subject' | 'body'>>;

const warningOf = ({ url }: Webhook): Notice => ({
  en: {
    subject: `Webhook is failing: ${url}`,
    body: `No message has arrived at ${url} for a day. We try each message for about three days and then give up.\n\nCheck the address and the other system. The School page shows every message that was not delivered. You can send it again there.`,
  },
  cs: {
    subject: `Webhook nefunguje: ${url}`,
    body: `Na adresu ${url} už den nedorazila žádná zpráva. Každou zprávu zkoušíme doručit asi tři dny, potom to vzdáme.\n\nZkontrolujte adresu a druhý systém. Na stránce Škola uvidíte všechny nedoručené zprávy a můžete je poslat znovu.`,
  },
});

const WHY = {
  en: { gone: 'the other system wants no more messages.', failing: 'no message has arrived for five days.' },
  cs: { gone: 'druhý systém už žádné zprávy nechce.', failing: 'pět dní tam žádná zpráva nedorazila.' },
} as const satisfies Record<Locale, Record<DisabledReason, string>>;

const noticeOf = ({ url }: Webhook, reason: DisabledReason): Notice => ({
  en: {
    subject: `Webhook turned off: ${url}`,
    body: `We no longer send changes to ${url}: ${WHY.en[reason]}\n\nCheck the other system, then turn the webhook on again. The School page shows every message that was not delivered. You can send it again there.`,
  },
  cs: {
    subject: `Webhook je vypnutý: ${url}`,
    body: `Na adresu ${url} jsme přestali posílat změny: ${WHY.cs[reason]}\n\nZkontrolujte druhý systém a potom webhook znovu zapněte. Na stránce Škola uvidíte všechny nedoručené zprávy a můžete je poslat znovu.`,
  },
});
