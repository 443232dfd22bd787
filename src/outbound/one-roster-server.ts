import { Agent, fetch, type RequestInit } from 'undici';
import { networkFault } from '../core/network-fault.ts';
import { fromKeys, parseObject } from '../core/objects.ts';
import type { Table } from '../people/roster/roster.ts';
import { publicConnector, readBody } from './public-connector.ts';

type OneRosterServer = { url: string; tokenUrl: string; clientId: string; clientSecret: string };

const TIMEOUT_MS = 60_000;
const RESPONSE_MAX = 20_000_000;
const PAGE = 1_000;
/** Enough for a million people. A server that ignores `offset` would be read forever without a limit. */
const PAGES_MAX = 1_000;
const SCOPES = [
  'https://purl.imsglobal.org/spec/or/v1p2/scope/roster-core.readonly',
  'https://purl.imsglobal.org/spec/or/v1p2/scope/roster.readonly',
];

type Item = Readonly<Record<string, unknown>>;
type Collection = { path: string; file: string; columns: Readonly<Record<string, (item: Item) => unknown>> };

const field = (name: string) => (item: Item) => item[name];
const fields = (...names: string[]) => fromKeys(names, field);
const refOf = (value: unknown): unknown => (value as Item | undefined)?.sourcedId;
const ref = (name: string) => (item: Item) => refOf(item[name]);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const refs = (name: string) => (item: Item) => listOf(item[name]).map(refOf).join(',');

/** The collections of OneRoster 1.2 (rostering v1p2), as the columns of the CSV binding. */
const COLLECTIONS: readonly Collection[] = [
  { path: 'orgs', file: 'orgs.csv', columns: fields('sourcedId', 'status', 'name', 'type') },
  { path: 'academicSessions', file: 'academicSessions.csv', columns: fields('sourcedId', 'status', 'endDate') },
  {
    path: 'users',
    file: 'users.csv',
    columns: {
      ...fields('sourcedId', 'status', 'givenName', 'familyName', 'email', 'sms', 'phone'),
      preferredGivenName: field('preferredFirstName'),
      preferredFamilyName: field('preferredLastName'),
      agentSourcedIds: refs('agents'),
      grades: (item) => listOf(item.grades).join(','),
    },
  },
  {
    path: 'classes',
    file: 'classes.csv',
    columns: {
      ...fields('sourcedId', 'status', 'title', 'classCode', 'classType'),
      schoolSourcedId: ref('school'),
      termSourcedIds: refs('terms'),
    },
  },
  {
    path: 'enrollments',
    file: 'enrollments.csv',
    columns: {
      ...fields('sourcedId', 'status', 'role', 'beginDate', 'endDate'),
      userSourcedId: ref('user'),
      classSourcedId: ref('class'),
      schoolSourcedId: ref('school'),
    },
  },
];

/** The roles of a user, a list in the user over HTTP and a file of its own as CSV. */
const ROLE_COLUMNS: Collection['columns'] = {
  userSourcedId: field('userSourcedId'),
  ...fields('role', 'beginDate', 'endDate'),
  orgSourcedId: ref('org'),
};

/**
 * Reads all people, classes and enrollments from a OneRoster 1.2 server, as the files of the CSV binding. Connects to public
 * addresses by https only and follows no redirect, because requests carry credentials.
 * @throws Error that names the address and the response, never a secret
 */
export async function pullOneRoster(
  { url, tokenUrl, clientId, clientSecret }: OneRosterServer,
  dispatcher = new Agent({ connect: publicConnector(TIMEOUT_MS) }),
): Promise<Table[]> {
  const ask = async (address: string, request: RequestInit, wanted: string) => {
    const explain = (error: Error): never => {
      throw new Error(`${address}: ${networkFault(error) ?? ((error.cause ?? error) as Error).message}`);
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(address, { ...request, dispatcher, redirect: 'error', signal }).catch(explain);
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`${address} answered ${response.status}`);
    }
    const bytes = await readBody(response, RESPONSE_MAX).catch(explain);
    if (!bytes) throw new Error(`${address} answered more than ${RESPONSE_MAX / 1_000_000} MB`);
    // The error of a parser would show a part of the response.
    const value = parseObject(bytes.toString('utf8'))[wanted];
    if (value === undefined) throw new Error(`${address} answered ${response.status} without ${wanted}`);
    return { value, total: response.headers.get('x-total-count') };
  };

  // OAuth 2.0 client credentials (RFC 6749, 4.4), which OneRoster 1.2 requires.
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES.join(' ') });
  const login = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const { value: token } = await ask(tokenUrl, { method: 'POST', headers: login, body: String(form) }, 'access_token');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };

  const loadAll = async (path: string): Promise<Item[]> => {
    let items: Item[] = [];
    for (let page = 0; page < PAGES_MAX; page += 1) {
      // Each page begins with the last item of the one before, unless the collection has changed: then it is read again.
      const last = items.pop();
      const query = new URLSearchParams({ limit: String(PAGE), offset: String(items.length), sort: 'sourcedId' });
      const { value, total } = await ask(`${url}/${path}?${query}`, { headers }, path);
      const found = listOf(value) as Item[];
      const isChanged = last && refOf(found[0]) !== refOf(last);
      if (isChanged) items = [];
      else items.push(...found);
      // A server may have smaller pages than we ask for.
      const isEnd = found.length < 2 || (total === null ? found.length < PAGE : items.length >= Number(total));
      if (isEnd && !isChanged) return items;
    }
    throw new Error(`${url}/${path} has more than ${PAGE * PAGES_MAX} items, or changes all the time`);
  };

  const tables: Table[] = [];
  for (const { path, file, columns } of COLLECTIONS) {
    const items = await loadAll(path);
    tables.push(tableOf(file, columns, items));
    if (path !== 'users') continue;
    const roles = items.flatMap(({ sourcedId, roles: given }) =>
      (listOf(given) as Item[]).map((role) => ({ ...role, userSourcedId: sourcedId })),
    );
    tables.push(tableOf('roles.csv', ROLE_COLUMNS, roles));
  }
  return tables;
}

function tableOf(file: string, columns: Collection['columns'], items: readonly Item[]): Table {
  const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value).trim());
  const rows = items.map((item, at) => ({ row: at + 1, cells: Object.values(columns).map((of) => text(of(item))) }));
  return { file, heads: Object.keys(columns), rows };
}
