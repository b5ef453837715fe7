// The API's description against the running API, by another program's reading of it: schemathesis derives requests from the
// description, valid and invalid, one by one and in sequences, and holds every answer to it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { findRecord } from '../../db/records/records.ts';
import { makeWorld } from '../support/fuzz-world.ts';
import { useListeningApi } from '../support/listening-api.ts';
import { newDashboardToken } from '../support/new-dashboard-token.ts';
import { INSTALL_MS, installPackages } from '../support/python-packages.ts';

/** Requests of each kind for each operation; SCHEMATHESIS_EXAMPLES asks for more, and SCHEMATHESIS_SEED for others. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 1);
const SEED = Number(process.env['SCHEMATHESIS_SEED'] ?? 1);
const DEADLINE_MS = 600_000 + EXAMPLES * 60_000;

const REQUIREMENTS = fileURLToPath(new URL('schemathesis/requirements.txt', import.meta.url));

const { api, baseUrl } = await useListeningApi();
let packages: string;
let folder: string;
beforeAll(async () => {
  packages = await installPackages(REQUIREMENTS);
  folder = await mkdtemp(join(tmpdir(), 'recordwatch-schemathesis-'));
  return () => rm(folder, { recursive: true, force: true });
}, INSTALL_MS);

/** A person's token: no request of the run can revoke it. */
async function tokenFor(recordId: string): Promise<string> {
  const record = await findRecord(api.db, recordId);
  if (record === undefined) throw new Error('the record is gone');
  const { token } = await newDashboardToken(api.db, record.accountId);
  const end = new Date(Date.now() + DEADLINE_MS);
  await api.db('loginSessions').update({ expiresAt: end, confirmedAt: end });
  await api.db('dashboardTokens').update({ expiresAt: end });
  return token;
}

/** What is there to be asked about, and what is deleted by way of trial. */
async function configuration(): Promise<string> {
  const { names } = await makeWorld(api, 'src_none');
  const { names: doomed } = await makeWorld(api, 'src_none');
  return `
headers = { Authorization = "Bearer ${await tokenFor(names.record)}" }
seed = ${SEED}
continue-on-failure = true

[generation]
max-examples = ${EXAMPLES}
database = "none"

[parameters]
"path.id" = "${names.record}"
"path.webhookId" = "${names.webhook}"
"path.deliveryId" = "${names.delivery}"
"path.checkId" = "${names.check}"
"path.snapshotId" = "${names.snapshot}"
"path.deltaEventId" = "${names.event}"
"path.key" = "a"
"header.Prefer" = "respond-async"
"query.cursor" = ""
# A field to search in is refused without a search.
"query.search" = "a"

[checks]
positive_data_acceptance.expected-statuses = ["2xx", "304", 402, 404, 409, 410, 422]
negative_data_rejection.expected-statuses = ["4xx"]

[[operations]]
include-operation-id = "getRecordActivity"
# The one must not be after the other.
parameters = { "query.since" = "2026-01-01T00:00:00Z", "query.until" = "2026-01-02t00:00:00z" }

[[operations]]
include-method = "GET"
include-path-regex = "/(rows|snapshot-rows|sample|download)$"
# A list in a filter is a parameter that is repeated; schemathesis numbers its items.
checks = { positive_data_acceptance = { expected-statuses = ["2xx", "304", 400, 402, 404, 409, 410, 422] } }

[[operations]]
include-operation-id = "createSession"
# An address gets ten an hour.
checks = { positive_data_acceptance = { expected-statuses = ["2xx", 422, 429] } }

[[operations]]
include-method = "DELETE"
parameters = { "path.id" = "${doomed.record}", "path.webhookId" = "${doomed.webhook}" }
`;
}

/** @returns what it printed, and whether it found nothing */
function runSchemathesis(config: string): Promise<{ isClean: boolean; told: string }> {
  const args = ['-m', 'schemathesis.cli', '--config-file', config, 'run', `${baseUrl}/v1/openapi.json`];
  const options = ['--url', baseUrl, '--no-color', '--no-shrink'];
  const env = { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  const limits = { cwd: folder, env, maxBuffer: 256 * 1024 * 1024, timeout: DEADLINE_MS };
  return new Promise((resolve) => {
    execFile('python3', [...args, ...options], limits, (error, stdout, stderr) =>
      resolve({ isClean: error === null, told: stdout + stderr }),
    );
  });
}

it(
  'every answer is as described, in all phases',
  async () => {
    const config = join(folder, 'schemathesis.toml');
    await writeFile(config, await configuration());
    const { isClean, told } = await runSchemathesis(config);
    if (!isClean) throw new Error(told.slice(-20_000));
    for (const phase of ['Examples', 'Coverage', 'Fuzzing', 'Stateful']) {
      expect(told).toMatch(new RegExp(`✅ ${phase}`));
    }
    expect(api.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  },
  DEADLINE_MS,
);
