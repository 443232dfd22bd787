import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientFolder } from '../support/http/client-folder.ts';
import { serveAnew } from '../support/http/http-app.ts';

test('a client that an earlier version has built is refused with the command that builds it', async () => {
  const client = clientFolder();
  rmSync(join(client, 'pages.json'));
  await expect(serveAnew({ client })).rejects.toThrow(`${client}/pages.json is missing: run \`npm run build\``);
});
