// Tests the running API against its OpenAPI document with schemathesis, which derives valid and invalid requests from the
// document, sends them singly and in sequences, and compares every answer with the document.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { answerRecordPreview } from '../../../db/records/record-previews.ts';
import { findRecord } from '../../../db/records/records.ts';
import { makeWorld } from '../../support/api/fuzz-world.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { createKey } from '../../support/rows/factories.ts';
import { newDashboardToken } from '../../support/rows/new-dashboard-token.ts';
import { INSTALL_MS, installPackages } from '../../support/servers/python-packages.ts';

/** Requests of each kind for each operation; SCHEMATHESIS_EXAMPLES asks for more, and SCHEMATHESIS_SEED for others. */
const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 1);
/** Sequences for each example. */
const SEQUENCES_TIMES = 20;
const SEED = Number(process.env['SCHEMATHESIS_SEED'] ?? 1);
const DEADLINE_MS = 600_000 + EXAMPLES * 60_000;

const REQUIREMENTS = fileURLToPath(new URL('schemathesis/requirements.txt', import.meta.url));

const { api, baseUrl } = await useListeningApi();
let packages: string;
let folder: string;
beforeAll(async () => {
  // No worker runs here.
  api.workflows.onPreview = (id) =>
    answerRecordPreview(api.db, id, { kind: 'failed', code: 'http_error', detail: 'It answered 404.' });
  packages = await installPackages(REQUIREMENTS);
  folder = await mkdtemp(join(tmpdir(), 'recordwatch-schemathesis-'));
  return () => rm(folder, { recursive: true, force: true });
}, INSTALL_MS);

/** A dashboard token, because no request of the run can revoke it. */
async function tokenFor(recordId: string): Promise<string> {
  const record = await findRecord(api.db, recordId);
  if (record === undefined) throw new Error('the record is gone');
  const { token } = await newDashboardToken(api.db, record.accountId);
  const end = new Date(Date.now() + DEADLINE_MS);
  await api.db('loginSessions').update({ expiresAt: end, confirmedAt: end });
  await api.db('dashboardTokens').update({ expiresAt: end });
  return token;
}

/** A key for the operation that takes one in its URL. */
async function feedKeyFor(recordId: string): Promise<string> {
  const record = await findRecord(api.db, recordId);
  const { value } = await createKey(api.db, record?.accountId ?? '', 'feed');
  return `[[operations]]
include-operation-id = "readAtomFeed"
parameters = { "query.token" = "${value}" }
`;
}

const common = (token: string): string => `
headers = { Authorization = "Bearer ${token}" }
seed = ${SEED}
continue-on-failure = true

[generation]
max-examples = ${EXAMPLES}
database = "none"

[checks]
positive_data_acceptance.expected-statuses = ["2xx", "304", 402, 404, 409, 410, 422]
negative_data_rejection.expected-statuses = ["4xx"]
`;

/** Settings with the ids of objects to read, and of objects that requests may delete. */
async function oneByOne(): Promise<string> {
  const { names } = await makeWorld(api, 'src_none');
  const { names: doomed } = await makeWorld(api, 'src_none');
  return `${common(await tokenFor(names.record))}
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
include-operation-id = "previewRecord"
# An account gets sixty an hour.
checks = { positive_data_acceptance = { expected-statuses = ["2xx", 402, 422, 429] } }

[[operations]]
include-path-regex = "/key-requests"
# An address gets thirty an hour, and an account may enter sixty codes. No code or secret is guessed.
checks = { positive_data_acceptance = { expected-statuses = ["2xx", "304", 404, 422, 429] } }

[[operations]]
include-method = "DELETE"
parameters = { "path.id" = "${doomed.record}", "path.webhookId" = "${doomed.webhook}" }

${await feedKeyFor(names.record)}`;
}

/** Settings for sequences: ids come from earlier answers through the links of the document, and none are guessed. */
async function inSequences(): Promise<string> {
  const { names } = await makeWorld(api, 'src_none');
  return `${common(await tokenFor(names.record))}
[parameters]
"header.Prefer" = "respond-async"
"query.cursor" = ""
"query.search" = "a"

[phases.stateful]
max-steps = 8
generation.max-examples = ${SEQUENCES_TIMES * EXAMPLES}
inference.algorithms = []

${await feedKeyFor(names.record)}`;
}

/** @returns its output @throws Error with the output when it has found a fault */
async function runSchemathesis(settings: string, phases: readonly string[]): Promise<string> {
  const config = join(folder, 'schemathesis.toml');
  await writeFile(config, settings);
  const args = ['-m', 'schemathesis.cli', '--config-file', config, 'run', `${baseUrl}/v1/openapi.json`];
  const options = ['--url', baseUrl, '--no-color', '--no-shrink', '--phases', phases.join(',')];
  const env = { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  const limits = { cwd: folder, env, maxBuffer: 256 * 1024 * 1024, timeout: DEADLINE_MS };
  return new Promise((resolve, reject) => {
    execFile('python3', [...args, ...options], limits, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error((stdout + stderr).slice(-20_000)));
    });
  });
}

const faultsLogged = (): string[] => api.logLines.filter((line) => line.includes('"level":"error"'));

it(
  'every answer is as described, to requests one by one',
  async () => {
    const told = await runSchemathesis(await oneByOne(), ['examples', 'coverage', 'fuzzing']);
    for (const phase of ['Examples', 'Coverage', 'Fuzzing']) expect(told).toContain(`✅ ${phase}`);
    expect(faultsLogged()).toEqual([]);
  },
  DEADLINE_MS,
);

it(
  'every answer is as described, in sequences that follow the links of the description',
  async () => {
    const told = await runSchemathesis(await inSequences(), ['stateful']);
    expect(told).toContain('✅ Stateful');
    const [, covered] = /API Links: +(\d+) covered/.exec(told) ?? [];
    expect(Number(covered)).toBeGreaterThan(0);
    expect(faultsLogged()).toEqual([]);
  },
  DEADLINE_MS,
);
