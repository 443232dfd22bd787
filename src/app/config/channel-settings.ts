import { Type } from 'typebox';
import { namedServers } from '../../channels/email/smtp-address.ts';
import type { SmsSender } from '../../channels/sms/twilio-client.ts';
import { TRIGGERS } from '../../notifications/policy/trigger-table.ts';
import { isPhone, LOCALES } from '../../people/contact.ts';
import { PUSH_HOSTS, parsePushHosts } from '../../people/push-endpoint.ts';
import { group, number, offUnless, optional, text, url } from './schema.ts';
import * as rules from './setting-rules.ts';

const dkim = offUnless(
  ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'],
  Type.Object({
    domain: text('DKIM_DOMAIN', 'signs mail with DKIM (Mail, below)', rules.DOMAIN, {
      unset: 'mail is not signed here',
    }),
    selector: text('DKIM_SELECTOR', 'selector of the key', rules.DKIM_SELECTOR, { unset: 'not signed' }),
    key: text('DKIM_PRIVATE_KEY', 'the RSA key', rules.PEM_OR_FILE, { unset: 'not signed' }),
  }),
);

const email = offUnless(
  ['SMTP_URL', 'MAIL_FROM'],
  Type.Object({
    servers: Type.Decode(
      text(
        'SMTP_URL',
        '`smtp://user:pass@host:port?pool=20&tls=required&ehlo=name`. `pool` is the largest number of open connections; of four or ' +
          'more, one in ten (at least one) is reserved for urgent messages. `tls`: `offered` (the default without a password), ' +
          '`required` (always with a password) or `none`, which sends even the password in the open. `ehlo` is the name ' +
          'the server is greeted with, by default this machine’s',
        rules.SMTP_URLS,
        { unset: 'email is off' },
      ),
      namedServers,
    ),
    from: text('MAIL_FROM', 'sender of all mail', rules.MAILBOX, { unset: 'email is off' }),
    replyDomain: optional(
      text('REPLY_DOMAIN', 'domain whose mail is answers from calendars (Returned mail, below)', rules.DOMAIN, {
        unset: 'calendars can’t answer',
      }),
    ),
    dkim,
  }),
);

/** Text messages come from numbers or names, or from a messaging service. */
function smsSenders(numbers: string, service: string, whose: string, unset: string, isNeeded: boolean) {
  const senders = group(
    {
      from: optional(text(numbers, `senders of ${whose}`, rules.SMS_SENDERS, { unset })),
      service: optional(text(service, `or a messaging service for them`, rules.twilioSid('MG'), { unset })),
    },
    [numbers, `and ${service} exclude each other`, (given) => given.from === null || given.service === null],
    [numbers, `or ${service} is needed`, (given) => !isNeeded || given.from !== null || given.service !== null],
  );
  return Type.Decode(senders, ({ from, service }): readonly SmsSender[] => {
    if (service !== null) return [{ messagingServiceSid: service }];
    return from === null ? [] : rules.listOf(from).map((one) => ({ from: one }));
  });
}

/** The account of SMS and WhatsApp. */
const twilio = {
  accountSid: text('TWILIO_ACCOUNT_SID', 'account', rules.twilioSid('AC'), { unset: 'SMS is off' }),
  authToken: text('TWILIO_AUTH_TOKEN', 'token of the account', rules.ONE_LINE, { unset: 'SMS is off' }),
  apiUrl: optional(
    url('TWILIO_API_URL', 'replaces the address of Twilio, for a stand-in', rules.WEB_URL, { unset: 'Twilio’s' }),
  ),
};

const sms = offUnless(
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID'],
  Type.Object({
    ...twilio,
    senders: smsSenders('TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID', 'text messages', 'one is needed for SMS', true),
    urgentSenders: smsSenders(
      'TWILIO_URGENT_FROM',
      'TWILIO_URGENT_MESSAGING_SERVICE_SID',
      'urgent messages: a STOP to the other senders does not stop them',
      'the same senders',
      false,
    ),
    perDay: optional(
      number(
        'SMS_BUDGET',
        'parts of text messages that a tenant may send on one day (UTC), over all processes; urgent messages may use as ' +
          'many again. A message beyond the limit is recorded as `over_budget`',
        [1, 100_000_000],
        { unset: 'no limit' },
      ),
    ),
  }),
);

const TEMPLATE = new RegExp(
  `^(?:${Object.keys(TRIGGERS).join('|')})(?:\\.(?:${LOCALES.join('|')}))?=HX[0-9a-fA-F]{32}$`,
);
const TEMPLATES: rules.Rule = {
  is: (value) => rules.listOf(value).every((one) => TEMPLATE.test(one)),
  rule: 'such as event.cancelled.en=HX… with 32 hexadecimal digits; several with commas between',
};

const PHONE: rules.Rule = { is: isPhone, rule: 'a phone number in E.164' };
const WHATSAPP_OFF = { unset: 'WhatsApp is off' };

const whatsapp = offUnless(
  ['WHATSAPP_FROM', 'WHATSAPP_TEMPLATES'],
  Type.Object({
    ...twilio,
    from: text('WHATSAPP_FROM', 'WhatsApp number of the Twilio account', PHONE, WHATSAPP_OFF),
    templates: Type.Decode(
      text(
        'WHATSAPP_TEMPLATES',
        'approved templates by trigger and language (WhatsApp, below)',
        TEMPLATES,
        WHATSAPP_OFF,
      ),
      (value) => new Map(rules.listOf(value).map((one) => one.split('=') as [string, string])),
    ),
  }),
);

const push = offUnless(
  ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'],
  Type.Object({
    publicKey: text('VAPID_PUBLIC_KEY', 'key for browser push', rules.base64url(65), { unset: 'push is off' }),
    privateKey: text('VAPID_PRIVATE_KEY', 'its private key', rules.base64url(32), { unset: 'push is off' }),
    subject: text('VAPID_SUBJECT', 'contact for push services', rules.VAPID_SUBJECT, { unset: 'push is off' }),
    allowedHosts: Type.Decode(
      text('PUSH_ALLOWED_HOSTS', 'push services that a subscription may point to', rules.PUSH_HOST_LIST, {
        default: PUSH_HOSTS.join(','),
        unset: 'the browsers’ own services',
      }),
      parsePushHosts,
    ),
  }),
);

/** The settings of the channels that need any, by their names; null where a channel is off. */
export const CHANNEL_SECTIONS = { email, sms, push, whatsapp };
export type ChannelSection = keyof typeof CHANNEL_SECTIONS;
/** Asked for by processes that have to know which channels are on. */
export const CHANNEL_NEEDS = Object.keys(CHANNEL_SECTIONS) as ChannelSection[];
