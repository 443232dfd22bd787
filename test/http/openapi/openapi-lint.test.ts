import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../support/http/api-document.ts';
import { serve } from '../../support/http/http-app.ts';

const document = await readDocument((await serve()).ask);

/** The platform asks for its health without a token and without a parameter: there is nothing to refuse. */
const isExcused = (rule: string, pointer = '') =>
  rule === 'operation-4xx-response' && pointer.startsWith('#/paths/~1health~1');

/** Findings of the linter, one line each. */
async function faultsOf(changed: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: JSON.stringify(changed), absoluteRef: 'openapi.json', config });
  return found
    .filter(({ ruleId, location }) => !isExcused(ruleId, location[0]?.pointer))
    .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`);
}

describe('the OpenAPI document, by a linter and its recommended rules', () => {
  it('has no lint errors', async () => {
    expect(await faultsOf(document)).toEqual([]);
  });

  it('fails this check if the document has an error', async () => {
    const { license, ...info } = document.info;
    expect(license).toBeDefined();
    const faults = await faultsOf({ ...document, info, paths: { '/x': { get: { operationId: 7 } } } });
    expect(faults.join('\n')).toMatch(/info-license.*struct #\/paths\/~1x\/get/s);
  });
});
