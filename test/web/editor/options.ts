import { Value } from 'typebox/value';
import { eventOptions } from '../../../src/events/rules/options.ts';
import { OPTIONS } from '../../../src/http/events/option-routes.ts';
import type { Options } from '../../../src/web/api/types.ts';
import { aCaller, aSchool } from '../../support/builders.ts';

/** The options of the form as the API answers them: with the fields of the schema alone. */
export const options = Value.Clean(OPTIONS, eventOptions(aSchool(), aCaller(), '2026-09-01')) as Options;
