import ICAL from 'ical.js';

/**
 * A strict second reader of calendar files (RFC 5545): throws on anything that a calendar program could reject, and if
 * ical.js, which is lenient, reads a different content.
 */
export type Component = {
  name: string;
  properties: { name: string; params: Record<string, string>; value: string }[];
  parts: Component[];
};

export function readIcs(text: string): Component {
  if (!text.endsWith('\r\n') || /[^\r]\n|\r[^\n]/.test(text)) throw new Error('every line ends with CRLF');
  const physical = text.slice(0, -2).split('\r\n');
  for (const line of physical) {
    if (Buffer.byteLength(line) > 75) throw new Error(`longer than 75 bytes: ${line}`);
    if (line === '' || line.includes('\ufffd')) throw new Error(`an empty or torn line: ${JSON.stringify(line)}`);
  }
  const root: Component = { name: '', properties: [], parts: [] };
  const open = [root];
  for (const line of physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n')) {
    const found = /^([A-Z][A-Z0-9-]*)((?:;[A-Z-]+=(?:"[^"\p{Cc}]*"|[^";:,\p{Cc}]*))*):([^\p{Cc}]*)$/u.exec(line);
    if (!found) throw new Error(`not a content line: ${line}`);
    const [, name = '', params = '', value = ''] = found;
    const parent = open.at(-1) ?? root;
    if (name === 'BEGIN') {
      open.push({ name: value, properties: [], parts: [] });
      parent.parts.push(open.at(-1) as Component);
    } else if (name === 'END') {
      if (open.pop()?.name !== value) throw new Error(`END:${value} ends nothing`);
    } else {
      parent.properties.push({ name, params: paramsOf(params), value });
    }
  }
  const [calendar, ...more] = root.parts;
  if (open.length !== 1 || !calendar || more.length > 0 || root.properties.length > 0)
    throw new Error('not one calendar');
  check(calendar);
  const theirs = new ICAL.Component(ICAL.parse(text));
  if (namesIn(calendar) !== namesInIcal(theirs))
    throw new Error(`another library reads it differently: ${namesInIcal(theirs)}`);
  return calendar;
}

/** The names of components and properties, to compare two readers. */
const namesIn = ({ name, properties, parts }: Component): string =>
  `${name.toLowerCase()}(${[...properties.map((one) => one.name.toLowerCase()), ...parts.map(namesIn)]})`;

const namesInIcal = (component: ICAL.Component): string =>
  `${component.name}(${[
    ...component.getAllProperties().map(({ name }) => name),
    ...component.getAllSubcomponents().map(namesInIcal),
  ]})`;

const paramsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/;([A-Z-]+)=("?)([^";]*)\2/g)].map(([, key = '', , value = '']) => [key, value]),
  );

export const one = (component: Component, name: string) => {
  const found = component.properties.filter((property) => property.name === name);
  if (found.length > 1) throw new Error(`${name} more than once`);
  return found[0];
};

export const textOf = (component: Component, name: string): string | undefined =>
  one(component, name)?.value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign));

/** Every calendar and event has its required properties, and none names a zone: times are in UTC. */
function check(calendar: Component): void {
  for (const name of ['VERSION', 'PRODID']) if (!one(calendar, name)) throw new Error(`no ${name}`);
  const seen = new Set<string>();
  for (const event of calendar.parts.filter(({ name }) => name === 'VEVENT')) {
    for (const name of ['UID', 'DTSTAMP', 'DTSTART']) if (!one(event, name)) throw new Error(`no ${name}`);
    const which = `${one(event, 'UID')?.value} ${one(event, 'RECURRENCE-ID')?.value}`;
    if (seen.has(which)) throw new Error(`twice: ${which}`);
    seen.add(which);
    for (const { params } of event.properties) {
      if (params.TZID) throw new Error(`${params.TZID} is not defined`);
    }
  }
}
