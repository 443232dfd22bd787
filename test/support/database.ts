export { freshDatabaseUri } from '../../src/dev/services/given-servers.ts';
