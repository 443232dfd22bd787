import { expect, test } from 'vitest';
import { freshDatabaseUri } from '../../../src/dev/services/given-servers.ts';

test.each([
  [
    'mongodb://127.0.0.1:27017/schoolbell?replicaSet=rs0',
    /^mongodb:\/\/127\.0\.0\.1:27017\/sb_\w{12}\?replicaSet=rs0$/,
  ],
  ['mongodb://a:1,b:2', /^mongodb:\/\/a:1,b:2\/sb_\w{12}$/],
  ['mongodb://u:p@h/?w=1', /^mongodb:\/\/u:p@h\/sb_\w{12}\?w=1&authSource=admin$/],
  ['mongodb+srv://u:p@h/app', /^mongodb\+srv:\/\/u:p@h\/sb_\w{12}\?authSource=app$/],
])('%s keeps its servers and options and gets a database of its own', (base, expected) => {
  expect(freshDatabaseUri(base)).toMatch(expected);
  expect(freshDatabaseUri(base)).not.toBe(freshDatabaseUri(base));
});
