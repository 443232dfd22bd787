import { fileURLToPath } from 'node:url';

/** Where the build puts the browser client: beside the code. */
export function clientFolder(): string {
  const here = fileURLToPath(import.meta.url);
  const dist = here.endsWith('.ts') ? new URL('../../dist/', import.meta.url) : new URL('../../', import.meta.url);
  return fileURLToPath(new URL('web/', dist));
}
