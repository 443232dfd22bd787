import { publishEmail } from './publish-email.ts';
import { publishInApp } from './publish-in-app.ts';
import { registrations } from './registrations.ts';

const BENCHES: Record<string, () => Promise<void>> = {
  'publish-email': publishEmail,
  'publish-in-app': publishInApp,
  registrations,
};

/** `npm run bench -- NAME`, or all. */
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (!bench) throw new Error(`no benchmark "${name}"; there are ${Object.keys(BENCHES).join(', ')}`);
  await bench();
}
