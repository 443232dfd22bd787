import { describe, expect, it } from 'vitest';
import {
  endpointFault,
  isPushHost,
  normalizeEndpoint,
  PUSH_HOSTS,
  parsePushHosts,
  pushServiceOf,
} from '../../src/people/push-endpoint.ts';

describe('a push endpoint of a browser', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://autopush.prod.push.services.mozilla.com/wpush/v1/x',
    'https://wns2-par02p.notify.windows.com/w/?token=BQY',
    'https://web.push.apple.com/QGuP',
    'https://FCM.googleapis.com/x',
  ])('%s is allowed', (url) => {
    expect(endpointFault(url, PUSH_HOSTS)).toBeNull();
  });

  it.each([
    ['http://fcm.googleapis.com/x', 'is not https'],
    ['ftp://fcm.googleapis.com/x', 'is not https'],
    ['javascript:alert(1)', 'is not https'],
    ['not a url', 'is not a URL'],
    ['', 'is not a URL'],
    ['https://user:pass@fcm.googleapis.com/x', 'carries credentials'],
    ['https://fcm.googleapis.com:8443/x', 'is not at a known push service'],
    ['https://evil.example/x', 'is not at a known push service'],
    ['https://fcm.googleapis.com.evil.example/x', 'is not at a known push service'],
    ['https://evilfcm.googleapis.com/x', 'is not at a known push service'],
    ['https://fcm.googleapis.com./x', 'is not at a known push service'],
    ['https://notify.windows.com/x', 'is not at a known push service'],
    ['https://evilnotify.windows.com/x', 'is not at a known push service'],
    ['https://127.0.0.1/x', 'is not at a known push service'],
    ['https://[::1]/x', 'is not at a known push service'],
    ['https://2130706433/x', 'is not at a known push service'],
    ['https://localhost/x', 'is not at a known push service'],
    [`https://fcm.googleapis.com/${'x'.repeat(2048)}`, 'is longer than 2048 characters'],
  ])('%s is refused', (url, fault) => {
    expect(endpointFault(url, PUSH_HOSTS)).toBe(fault);
  });
});

describe('normalizing an endpoint', () => {
  const spelled = 'https://fcm.googleapis.com/fcm/send/aB:c%2F?x=Y';
  it.each([
    [spelled],
    [`${spelled}#1`],
    [`${spelled}#`],
    [spelled.replace('fcm.googleapis.com', 'FCM.GoogleApis.com:443')],
    [spelled.replace('https://', 'HTTPS://user:secret@')],
  ])('makes one URL of the spelling %s', (url) => {
    expect(normalizeEndpoint(url)).toBe(spelled);
  });

  it('keeps different subscriptions apart', () => {
    const urls = [spelled, spelled.toLowerCase(), `${spelled}&z`, spelled.replace('?x=Y', '')];
    expect(new Set(urls.map(normalizeEndpoint)).size).toBe(4);
  });
});

describe('PUSH_ALLOWED_HOSTS', () => {
  const allowed = parsePushHosts(
    ' Push.school.example, *.relay.example ,http://127.0.0.1:9999,https://push.local:8443, ',
  );

  it('replaces the list with hosts, wildcards and origins', () => {
    expect(allowed).toEqual([
      'push.school.example',
      '*.relay.example',
      'http://127.0.0.1:9999',
      'https://push.local:8443',
    ]);
    expect(endpointFault('https://push.school.example/x', allowed)).toBeNull();
    expect(endpointFault('https://a.b.relay.example/x', allowed)).toBeNull();
    expect(endpointFault('https://fcm.googleapis.com/x', allowed)).not.toBeNull();
  });

  it('allows http and other ports at listed origins only', () => {
    expect(endpointFault('http://127.0.0.1:9999/x', allowed)).toBeNull();
    expect(endpointFault('https://push.local:8443/x', allowed)).toBeNull();
    expect(endpointFault('http://127.0.0.1:9998/x', allowed)).not.toBeNull();
    expect(endpointFault('https://127.0.0.1:9999/x', allowed)).not.toBeNull();
    expect(endpointFault('http://push.school.example/x', allowed)).not.toBeNull();
    expect(endpointFault('http://user@127.0.0.1:9999/x', allowed)).not.toBeNull();
  });

  it.each(['http://127.0.0.1:9999/path', 'ftp://push.example', 'push.example:8443', '*.', '*', 'a b', '*.*.example'])(
    'refuses the entry %s',
    (entry) => {
      expect(isPushHost(entry)).toBe(false);
    },
  );
});

describe('the push service of a host', () => {
  it.each([
    ['updates.push.services.mozilla.com', 'updates.push.services.mozilla.com'],
    ['eu.push.services.mozilla.com', '*.push.services.mozilla.com'],
    ['evil.example', 'other'],
  ])('labels %s as %s', (host, label) => {
    expect(pushServiceOf(host, PUSH_HOSTS)).toBe(label);
  });

  it('labels a listed origin by what was listed', () => {
    expect(pushServiceOf('127.0.0.1:9999', ['http://127.0.0.1:9999'])).toBe('http://127.0.0.1:9999');
  });
});
