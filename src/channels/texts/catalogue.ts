import type { Content } from '../../notifications/message.ts';
import { type Bundle, readBundle, type TextsOfOne } from './bundle.ts';
import { type PreparedEmail, prepareEmail } from './email.ts';
import type { Sender } from './mail-headers.ts';
import { type PreparedSms, type PreparedTitled, prepareInApp, preparePush, prepareSms } from './short-texts.ts';

/** Everything a person receives is composed here: prepared once for a Content, as long as that is kept, and filled per person. */
export type Texts = {
  email(content: Content, sender: Sender): PreparedEmail;
  sms(content: Content): PreparedSms;
  push(content: Content): PreparedTitled;
  inApp(content: Content): PreparedTitled;
  /** The version of the template files behind a text. */
  version(content: TextName): string;
};

/** Which texts: a tenant's own where it has them. */
type TextName = Pick<Content, 'trigger' | 'locale'> & { tenant_id?: string };

/** @param source the bundle `compile.ts` made, or the path of its file */
export function loadTexts(source: string | Bundle): Texts {
  const { texts, tenants } = typeof source === 'string' ? readBundle(source) : source;
  const own = new Map(Object.entries(tenants));
  const of = ({ tenant_id = '', trigger, locale }: TextName): TextsOfOne =>
    own.get(tenant_id)?.[trigger]?.[locale] ?? texts[trigger][locale];
  return {
    email: onceFor((content, sender: Sender) => prepareEmail(of(content).email, content, sender)),
    sms: onceFor((content) => prepareSms(of(content).sms, content)),
    push: onceFor((content) => preparePush(of(content).push, content)),
    inApp: onceFor((content) => prepareInApp(of(content).in_app, content)),
    version: (content) => of(content).version,
  };
}

/** Preparing costs a hundred times as much as filling in. A content is the same object for all who read it. */
function onceFor<Prepared, Other = undefined>(
  prepare: (content: Content, other: Other) => Prepared,
): (content: Content, other?: Other) => Prepared {
  const kept = new WeakMap<Content, { prepared: Prepared; other: Other }>();
  return (content, other) => {
    const known = kept.get(content);
    if (known && known.other === other) return known.prepared;
    const prepared = prepare(content, other as Other);
    kept.set(content, { prepared, other: other as Other });
    return prepared;
  };
}
