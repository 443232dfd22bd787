import { expect, it } from 'vitest';
import { lazySerializers } from '../../src/http/app.ts';

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
