import { cut, oneLine } from '../../core/plain-text.ts';
import type { ChannelAdapter } from '../../notifications/channel-adapter.ts';
import type { Content, Outgoing, PersonValues } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/outcome.ts';
import { ruleOf } from '../../notifications/policy/trigger-table.ts';
import type { Failover } from '../failover.ts';
import { isE164, statusCallbackOf, stopSenders, type TwilioClient, whatsAppAddress } from '../sms/twilio-client.ts';

type WhatsAppOptions = {
  twilio: TwilioClient;
  /** the number that messages come from, E.164 */
  from: string;
  /** ids of approved templates (`HX…`) by trigger or by `trigger.locale` */
  templates: ReadonlyMap<string, string>;
  failover: Failover;
  /** base of the status callback */
  publicUrl: string;
};

const PROVIDER = 'twilio-whatsapp';
/** Characters of one variable: WhatsApp takes 1,024 for a whole text. */
const VARIABLE_LENGTH = 300;

/**
 * WhatsApp through Twilio. WhatsApp takes only texts that it has approved as templates, so a message consists of the id of
 * its template and the values of the template's variables.
 */
export function whatsAppChannel({ twilio, from, templates, failover, publicUrl }: WhatsAppOptions): ChannelAdapter {
  const sender = { from: whatsAppAddress(from) };

  async function send({ delivery, content, person }: Outgoing): Promise<Outcome> {
    const { address, trigger } = delivery;
    if (address === null || !isE164(address)) return { kind: 'bad_address', detail: 'whatsapp number' };
    const contentSid = templateOf(templates, { trigger, locale: content.locale });
    if (!contentSid) return { kind: 'no_template', detail: `whatsapp ${trigger}.${content.locale}` };
    const request = {
      to: whatsAppAddress(address),
      sender,
      contentSid,
      contentVariables: variablesOf(content, person),
      statusCallback: statusCallbackOf(publicUrl, delivery),
    };
    return failover.send({ [PROVIDER]: sender }, (_, { withinMs }) => twilio.send(request, withinMs), {
      urgent: ruleOf(trigger).urgent,
      recipient: address,
    });
  }

  return {
    channel: 'whatsapp',
    capacity: 25,
    send,
    async find({ delivery: { address } }, since) {
      if (address === null || (await twilio.list(whatsAppAddress(address), since)).length === 0) return null;
      // The provider lists the text that the template became, so a message to this number may be about another event.
      throw new Error('twilio list');
    },
    availability: (urgent) => failover.availability([PROVIDER], urgent),
    breakers: failover.breakers,
    senders: stopSenders([sender]),
    close: () => twilio.close(),
  };
}

/** The approved template of such messages, if there is one. */
export const templateOf = (
  templates: WhatsAppOptions['templates'],
  { trigger, locale }: Pick<Content, 'trigger' | 'locale'>,
): string | undefined => templates.get(`${trigger}.${locale}`) ?? templates.get(trigger);

/**
 * The variables that templates may use, in the order of docs/operations.md. WhatsApp takes no empty value, no line break and
 * no more than four blanks in a row, as an indented list would have once it is one line.
 */
function variablesOf({ event, message, school }: Content, person: PersonValues): Record<string, string> {
  const values = [
    event.title,
    event.when,
    event.place,
    event.reason,
    event.url,
    person.name,
    person.on_behalf_of,
    school.name,
    message.subject,
    message.body,
    event.previous_when,
    event.previous_place,
  ];
  const fitted = (value: string) => cut(oneLine(value).replace(/\s+/g, ' '), VARIABLE_LENGTH) || '–';
  return Object.fromEntries(values.map((value, at) => [String(at + 1), fitted(value)]));
}
