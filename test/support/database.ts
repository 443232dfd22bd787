export { freshDatabaseUri } from '../../src/dev/services/fresh-database.ts';
