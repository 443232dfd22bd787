import { expect, test } from 'vitest';
import { importsOf, nodesOf, type Source, sourcesIn } from './sources.ts';

/**
 * Modules that may open connections, and their targets. No module may follow an address that a user wrote (of a picture, an
 * attachment, a meeting), except a push endpoint.
 */
const MAY_CONNECT: Readonly<Record<string, string>> = {
  'src/channels/push/push.ts': 'push endpoints, https and of allowed hosts',
  'src/channels/push/push-connector.ts': 'the same, checked again when the name is resolved',
  'src/channels/sms/twilio-client.ts': 'Twilio, or its replacement in tests',
};

const NETWORK =
  /^(node:)?(http|https|http2|net|tls|dgram)$|^(undici|got|axios|request|superagent|needle|ky|node-fetch)(\/|$)/;

function connectionFaults(
  sources: readonly Source[],
  allowed: Readonly<Record<string, string>> = MAY_CONNECT,
): string[] {
  const faults: string[] = [];
  for (const source of sources) {
    const { path } = source;
    if (/^src.(dev|build|cli)./.test(path) || path.startsWith('src/web/') || Object.hasOwn(allowed, path)) continue;
    const imports = importsOf(source).filter(({ isType, name }) => !isType && name !== null && NETWORK.test(name));
    for (const { name } of imports) if (!listensOnly(source, name ?? '')) faults.push(`${path}: imports ${name}`);
    const fetches = nodesOf(source).some(
      (node) => node.type === 'CallExpression' && (node.callee as { name?: string }).name === 'fetch',
    );
    if (fetches) faults.push(`${path}: calls fetch`);
  }
  return faults;
}

/** Imports that only listen or only parse addresses open no connection. */
const HARMLESS = /^(createServer|Server|isIP|isIPv4|isIPv6|BlockList|Socket|STATUS_CODES)$/;
const listensOnly = (source: Source, module: string): boolean =>
  nodesOf(source)
    .filter(({ type, source: from }) => type === 'ImportDeclaration' && (from as { value?: string }).value === module)
    .flatMap(({ specifiers }) => (specifiers ?? []) as { imported?: { name?: string }; importKind?: string }[])
    .every(({ imported, importKind }) => importKind === 'type' || HARMLESS.test(imported?.name ?? 'everything'));

test('only modules that send messages open connections', () => {
  expect(connectionFaults(sourcesIn('src', 'workers'))).toEqual([]);
});

test.each([
  ["import { request } from 'undici'; request(event.image_url)", 'imports undici'],
  ["import https from 'node:https'; https.get(event.image_url)", 'imports node:https'],
  ['await fetch(attachment.url)', 'calls fetch'],
  ["import { createServer, get } from 'node:http'", 'imports node:http'],
])('the guard fires on %s', (text, fault) => {
  expect(connectionFaults([{ path: 'src/events/preview.ts', text }])).toEqual([`src/events/preview.ts: ${fault}`]);
});
