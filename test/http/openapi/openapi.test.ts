import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/core/errors.ts';
import { FAULT_RULES } from '../../../src/core/fault-rules.ts';
import { ACTIONS } from '../../../src/events/rules/lifecycle.ts';
import { operationsOf, readDocument, type Schema } from '../../support/http/api-document.ts';
import { provideHttp } from '../../support/http/http-app.ts';

const { ask } = await provideHttp();
const document = await readDocument(ask);
const operations = operationsOf(document);

describe('the OpenAPI document', () => {
  it('describes every property and parameter', () => {
    const missing = new Set<string>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, in: place, name, description } = value as Record<string, unknown>;
      if (typeof place === 'string' && !description) missing.add(String(name));
      if (typeof properties === 'object' && properties !== null) {
        for (const [field, schema] of Object.entries(properties)) if (!schema.description) missing.add(field);
      }
      Object.values(value).forEach(visit);
    };
    visit(document);
    expect([...missing], 'describe these in their schema or in field-descriptions.ts').toEqual([]);
  });

  it.each([
    ['DryRunResult', 'audience.email', 'For the channel `email`.'],
    ['DryRunResult', 'audience.email.skipped.errors', 'How many: five internal errors while sending.'],
    ['Contact', 'email', 'The e-mail address.'],
    ['Event', 'occurrences.left_out', 'The occurrences that were left out.'],
    ['EventOptions', 'limits.notes', 'The limit of `notes`.'],
    ['Registration', 'answers.items.value', 'The text, the chosen option, or true for a consent.'],
    ['QuarantinedDelivery', 'errors', 'How many internal errors there were.'],
    ['Acknowledged', 'acknowledgement.at', 'When it was confirmed.'],
  ])('describes %s.%s by what it is there, although its name means something else elsewhere', (name, path, words) => {
    const inner = (schema: Schema | undefined, part: string): Schema | undefined => {
      const [own] = (schema?.anyOf as Schema[] | undefined) ?? [schema];
      return part === 'items' ? own?.items : own?.properties?.[part];
    };
    expect(path.split('.').reduce(inner, document.components.schemas[name])?.description).toBe(words);
  });

  it('tells other tools that a text must not be empty', () => {
    const { body, name } = document.components.schemas.SavedText?.properties ?? {};
    for (const field of [body, name]) {
      const pattern = new RegExp(String(field?.pattern));
      expect(['  ', 'a'].map((text) => pattern.test(text))).toEqual([false, true]);
    }
  });

  it('has a route for every move of the state table', () => {
    const moves = Object.entries(ACTIONS).flatMap(([action, { to }]) => (to || action === 'return' ? action : []));
    const url = (action: string) => `/api/v1/operations/events/{id}/${action}`;
    expect(moves.filter((action) => !document.paths[url(action)])).toEqual([]);
  });

  it('documents the errors of every operation', () => {
    for (const { name, method, path, responses, security } of operations) {
      for (const [status, answer] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        expect(Object.keys(answer.content ?? {}), `${name} ${status}`).toEqual(['application/problem+json']);
        for (const code of answer.description.split(', ')) {
          expect(ERRORS[code as keyof typeof ERRORS]?.status, `${name} ${code}`).toBe(Number(status));
        }
      }
      if (path.startsWith('/health/')) continue;
      // The address of any request may be faulty or too long.
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['400', '413']));
      if (/^\/(feeds|files|problems|api\/v1\/public)\/|^\/client-config$/.test(path)) continue;
      expect(security).toEqual([{ bearer: [] }]);
      expect(Object.keys(responses), name).toContain('401');
      expect(document.paths[path]?.[method.toLowerCase()]?.['x-permissions']).toEqual(expect.any(Array));
    }
    expect(document.components.schemas.Problem?.properties?.code?.enum).toEqual(Object.keys(ERRORS));
  });

  it('documents the refusals of every operation that can show what someone else sees', () => {
    const viewing = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'x-view-as'));
    expect(viewing.length).toBeGreaterThan(20);
    for (const { name, responses } of viewing)
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['400', '403', '404']));
  });

  it('has the fields of a page in every answer that lists `data`', () => {
    const listing = operations
      .filter(({ method }) => method === 'GET')
      .map(({ name, responses }) => {
        const schema = responses['200']?.content?.['application/json']?.schema as Schema | undefined;
        return { name, fields: Object.keys(schema?.properties ?? {}) };
      });
    const lists = listing.filter(({ fields }) => fields.includes('data'));
    expect(lists.length).toBeGreaterThan(20);
    const isPage = (fields: readonly string[]) => fields.includes('next_cursor') && fields.includes('has_more');
    expect(lists.filter(({ fields }) => !isPage(fields)).map(({ name }) => name)).toEqual([]);
  });

  it('refuses unknown fields in every request body', () => {
    const open: string[] = [];
    const walk = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { type, additionalProperties } = schema as Record<string, unknown>;
      const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
      if (isObject && additionalProperties !== false) open.push(at);
      for (const [key, value] of Object.entries(schema)) walk(value, `${at}/${key}`);
    };
    for (const { name, requestBody } of operations) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema) walk(schema, name);
    }
    expect(open).toEqual([]);
  });

  it('names every keyword and format that a request can break among the codes of rules', () => {
    const NOT_RULES =
      /^(\$ref|\$id|properties|items|description|default|examples?|x-.*|readOnly|contentMediaType|format)$/;
    const found = new Set<string>();
    const walk = (schema: Record<string, unknown>): void => {
      for (const [name, value] of Object.entries(schema)) {
        if (!NOT_RULES.test(name)) found.add(name);
        if (name === 'format') found.add(String(value));
        if (name === '$ref') walk(document.components.schemas[String(value).split('/').at(-1) ?? ''] ?? {});
        if (name === 'properties') Object.values(value as object).forEach(walk);
        else if (Array.isArray(value)) value.filter((one) => typeof one === 'object' && one !== null).forEach(walk);
        else if (name === 'items' || name === 'additionalProperties') walk(Object(value));
      }
    };
    for (const { parameters = [], requestBody } of operations) {
      for (const { schema } of parameters) walk(schema);
      for (const { schema } of Object.values(requestBody?.content ?? {})) walk(schema);
    }
    const rules: readonly string[] = FAULT_RULES;
    expect(found).toContain('maxLength');
    expect([...found].filter((rule) => rule !== 'additionalProperties' && !rules.includes(rule))).toEqual([]);
  });

  it('documents idempotency keys, ETags and permissions', () => {
    const find = (name: string) => operations.find((one) => one.name === name);
    const publish = find('POST /api/v1/operations/events/{id}/publish');
    expect(publish?.permissions).toEqual(['events.publish', 'events.update']);
    expect(publish?.parameters?.map(({ name }) => name)).toEqual([
      'scope',
      'dry_run',
      'hold_seconds',
      'id',
      'idempotency-key',
      'if-match',
    ]);
    expect(publish?.responses['200']).toHaveProperty('headers.ETag');
    expect(find('POST /api/v1/operations/contacts/import')?.requestBody?.content).toHaveProperty(
      'application/x-ndjson',
    );
    expect(Object.keys(document.paths)).not.toContain('/unsubscribe/{token}');
  });

  it('is served as a page', async () => {
    const page = await ask(null, 'GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
  });
});
