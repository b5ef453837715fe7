// The Python package `mcp` with its defaults: its registration, and every step to a tool's answer.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestRecord } from '../../support/rows/factories.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { obtainCode, openBrowser, REDIRECT_URI } from '../../support/api/oauth-browser.ts';
import { INSTALL_MS, installPackages } from '../../support/servers/python-packages.ts';
import { LIVENESS_MS } from '../../support/until.ts';

const FOLDER = fileURLToPath(new URL('python/', import.meta.url));

const { api, baseUrl } = await useListeningApi();
let record: string;
beforeAll(async () => {
  record = await createTestRecord(api.db, api.accountId);
});

/** Connects the package with a user who consents. @returns the last line that connect.py printed */
async function connect(packages: string, scope?: string): Promise<object> {
  const args = [join(FOLDER, 'connect.py'), `${baseUrl}/v1/mcp`, REDIRECT_URI];
  const child = spawn('python3', scope === undefined ? args : [...args, scope], {
    env: { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LIVENESS_MS,
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`connect.py ended: ${errors}`);
    return line.value;
  };
  const { pathname, search } = new URL(await next());
  const answers = { key: api.fullKey, scope: 'read' };
  const back = await obtainCode(openBrowser(baseUrl), `${pathname}${search}`, answers);
  child.stdin.end(`${back.href}\n`);
  return JSON.parse(await next());
}

describe.each(['1.12', '2.3'])('regression: mcp %s for Python', (version) => {
  let packages: string;
  beforeAll(async () => {
    packages = await installPackages(join(FOLDER, `requirements-${version}.txt`));
  }, INSTALL_MS);

  it.each([
    ['by its defaults', undefined],
    ['that asks for openid as well', 'openid mcp:read mcp:download'],
  ])('connects %s', async (_how, scope) => {
    expect(await connect(packages, scope)).toMatchObject({
      method: 'none',
      hasSecret: false,
      scope: expect.stringMatching(/\bmcp:read\b/),
      content: { sources: [{ id: record }] },
    });
  });
});
