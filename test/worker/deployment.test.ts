// The version of a worker: both settings or neither.
import { expect, it } from 'vitest';
import { parseConfig } from '../../core/config.ts';
import { deploymentOptions } from '../../worker/deployment.ts';

const NAME = { TEMPORAL_DEPLOYMENT_NAME: 'recordwatch' };
const BUILD = { TEMPORAL_WORKER_BUILD_ID: '1.1.0' };
const optionsOf = (env: Record<string, string>) => deploymentOptions(parseConfig(env));

it('is none unless both settings are there, and one alone is a mistake', () => {
  expect(optionsOf({})).toBeUndefined();
  expect(optionsOf({ ...NAME, ...BUILD })).toMatchObject({
    version: { deploymentName: 'recordwatch', buildId: '1.1.0' },
    useWorkerVersioning: true,
  });
  for (const alone of [NAME, BUILD]) {
    expect(() => optionsOf(alone)).toThrow('Set both TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID');
  }
});
