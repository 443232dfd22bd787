import { expect, it, vi } from 'vitest';
import { lazySerializers } from '../../src/http/app.ts';
import { STAFF, serveAnew } from '../support/http/http-app.ts';

it('a serializer is compiled with the named schemas that it refers to, also through another one, and with no other', () => {
  const named = {
    Page: { $id: 'Page', type: 'object', properties: { row: { $ref: 'Row#' } } },
    Row: { $id: 'Row', type: 'object', properties: { title: { type: 'string' } } },
    // The compiler refuses it.
    Other: { $id: 'Other', type: 'no type' },
  };
  const serialize = lazySerializers(named)({
    schema: { $ref: 'Page#' },
    method: 'GET',
    url: '/page',
    httpStatus: '200',
  });
  expect(serialize({ row: { title: 'Concert', secret: 'not in the schema' } })).toBe('{"row":{"title":"Concert"}}');
});

it('an answer with a time of day writes nothing beside the log', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { ask } = await serveAnew();
  const quiet_hours = { from: '21:00', to: '07:00' };
  const put = await ask(STAFF, 'PUT', '/api/v1/me/preferences', { payload: { quiet_hours } });
  expect(put.body).toMatchObject({ quiet_hours });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
