// The generated parts of the client for Python are up to date. After a change: npx vitest run test/clients/python/generated.test.ts --update
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { describeApi } from '../../../api/openapi/document.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { CLIENT } from './python.ts';

const run = (program: string, input = ''): string =>
  execFileSync('python3', [`${CLIENT}/tools/${program}`], {
    input,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });

it('its models are those of the API', async () => {
  const document = JSON.stringify(describeApi(OPERATIONS, 'http://localhost:8080'));
  await expect(run('write_models.py', document)).toMatchFileSnapshot(`${CLIENT}/src/recordwatch/models.py`);
});

it('its synchronous client is the asynchronous one without waiting', async () => {
  const files = run('write_sync.py').split(/^=== /m).slice(1);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const [name = '', ...lines] = file.split('\n');
    await expect(lines.join('\n')).toMatchFileSnapshot(`${CLIENT}/src/recordwatch/_sync/${name}`);
  }
});
