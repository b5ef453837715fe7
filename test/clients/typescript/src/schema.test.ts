// clients/typescript/src/schema.ts is generated from the OpenAPI document. After a change: npx vitest run test/clients/typescript/src/schema.test.ts --update
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeApi } from '../../../../api/openapi/document.ts';
import { OPERATIONS } from '../../../../api/operations.ts';

const DASHBOARD = fileURLToPath(new URL('../../../../dashboard', import.meta.url));
const SCHEMA = fileURLToPath(new URL('../../../../clients/typescript/src/schema.ts', import.meta.url));

it('the types of the client and the dashboard are those of the API', async () => {
  const document = describeApi(OPERATIONS, 'http://localhost:8080');
  const schema = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ['tools/write-schema.ts'],
      { cwd: DASHBOARD, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
    child.stdin?.end(JSON.stringify(document));
  });
  await expect(schema).toMatchFileSnapshot(SCHEMA);
});
