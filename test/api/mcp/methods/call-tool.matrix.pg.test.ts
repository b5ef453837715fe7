// Every tool with every kind of credential and record. The expected permissions are written down here, apart from the code.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../../api/mcp/tools/tools.ts';
import { useApi } from '../../../support/api/api.ts';
import {
  type CredentialKind,
  fingerprint,
  makeMatrixWorld,
  type MatrixWorld,
} from '../../../support/api/matrix-world.ts';
import { callTool, ERAS, rpc } from '../caller.ts';

type Rule = 'download' | 'read' | 'full' | 'full, account';

const RULES: Readonly<Record<string, Rule>> = {
  list_sources: 'read',
  get_source: 'read',
  summarize_changes: 'read',
  list_deltas: 'read',
  get_latest_delta: 'read',
  get_delta_rows: 'read',
  compare_snapshots: 'read',
  get_row_history: 'read',
  list_snapshots: 'read',
  describe_snapshot: 'read',
  query_snapshot: 'read',
  get_snapshot_rows: 'read',
  get_download_link: 'download',
  check_source: 'full',
  create_source: 'full, account',
  update_source: 'full',
};

const ARGUMENTS: Readonly<Record<string, object>> = {
  summarize_changes: { since: '2020-01-01' },
  compare_snapshots: { from: 'latest' },
  get_row_history: { key: 'a' },
  create_source: { url: 'https://example.com/data.csv', waitSeconds: 0 },
  update_source: { name: 'Renamed' },
  check_source: { waitSeconds: 0 },
};

const NOBODY: readonly CredentialKind[] = [
  'none',
  'malformed',
  'wrong checksum',
  'unknown',
  'revoked',
  'expired',
  'revoked record key',
  'ended session',
  'expired session',
];

/** The scope of each credential and the records that it sees; `own` is the record that it belongs to. */
const SOMEBODY = {
  'account full': { scope: 'full', isOfAccount: true, sees: ['mine'] },
  'account read': { scope: 'read', isOfAccount: true, sees: ['mine'] },
  'account download': { scope: 'download', isOfAccount: true, sees: ['mine'] },
  'free account full': { scope: 'full', isOfAccount: true, sees: ['ofFree'] },
  'stranger read': { scope: 'read', isOfAccount: true, sees: [] },
  'record read': { scope: 'read', isOfAccount: false, sees: ['mine'] },
  'record download': { scope: 'download', isOfAccount: false, sees: ['mine'] },
  'sibling read': { scope: 'read', isOfAccount: false, sees: [] },
  session: { scope: 'full', isOfAccount: false, sees: ['ofSession'] },
  'other session': { scope: 'full', isOfAccount: false, sees: [] },
} as const;

type Somebody = keyof typeof SOMEBODY;
const CALLERS = Object.keys(SOMEBODY) as Somebody[];
const TARGETS = ['mine', 'ofFree', 'foreign', 'ofSession'] as const;

const LEVELS = ['download', 'read', 'full'];

function mayUse(caller: Somebody, tool: string): boolean {
  const [needed = '', who] = (RULES[tool] ?? 'nobody').split(', ');
  const { scope, isOfAccount } = SOMEBODY[caller];
  return LEVELS.indexOf(scope) >= LEVELS.indexOf(needed) && (who !== 'account' || isOfAccount);
}

const api = useApi();
let world: MatrixWorld;
beforeAll(async () => {
  world = await makeMatrixWorld(api);
});
// A session may make few calls (test/api/mcp/methods/call-tool.quota.pg.test.ts), so its counts are reset.
beforeEach(async () => void (await api.db('usage_counters').delete()));

it('has a rule for every tool', () => {
  expect(Object.keys(RULES).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
});

it.each(NOBODY)('refuses everything to %s', async (caller) => {
  for (const method of [
    'initialize',
    'tools/list',
    'tools/call',
    'resources/list',
    'prompts/list',
    'tasks/get',
  ]) {
    for (const era of ERAS) {
      const { status } = await rpc(api, method, {}, { key: world.credentials[caller], era });
      expect([method, era, status]).toEqual([method, era, 401]);
    }
  }
});

it.each(CALLERS)('lists to %s the tools that it may use', async (caller) => {
  for (const era of ERAS) {
    const { body } = await rpc(api, 'tools/list', {}, { key: world.credentials[caller], era });
    const names = (body.result.tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(TOOLS.map(({ name }) => name).filter((name) => mayUse(caller, name)));
  }
});

describe.each(TOOLS)('$name', ({ name, isOfSource }) => {
  const call = (caller: Somebody, source?: string) =>
    callTool(
      api,
      name,
      { ...ARGUMENTS[name], ...(source === undefined ? {} : { source }) },
      { key: world.credentials[caller] },
    );

  it('is refused to callers without permission, and changes nothing', async () => {
    const before = await fingerprint(api);
    for (const caller of CALLERS.filter((each) => !mayUse(each, name))) {
      const { isError, text } = await call(caller, isOfSource ? world.mine.record : undefined);
      expect([caller, isError, text.split(':')[0]]).toEqual([caller, true, 'insufficient_scope']);
    }
    expect(await fingerprint(api)).toBe(before);
  });

  it('works on the caller’s visible records, and on no others', async () => {
    for (const caller of CALLERS.filter((each) => isOfSource && mayUse(each, name))) {
      const sees: readonly string[] = SOMEBODY[caller].sees;
      for (const target of TARGETS.filter((each) => !sees.includes(each))) {
        const before = await fingerprint(api);
        const { isError, text } = await call(caller, world[target].record);
        expect([caller, target, isError, text]).toEqual([
          caller,
          target,
          true,
          'not_found: Nothing under this id or slug is visible to this credential.',
        ]);
        expect(await fingerprint(api)).toBe(before);
      }
      for (const target of TARGETS.filter((each) => sees.includes(each))) {
        const { isError, text } = await call(caller, world[target].record);
        expect([caller, target, isError && text]).toEqual([caller, target, false]);
      }
    }
  });
});

it.each(CALLERS)('shows %s only events of its visible records, in the feed', async (caller) => {
  const sees: readonly string[] = SOMEBODY[caller].sees;
  const { isError, value } = await callTool(
    api,
    'list_deltas',
    { feed: true, limit: 200 },
    { key: world.credentials[caller] },
  );
  expect([caller, isError]).toEqual([caller, !mayUse(caller, 'list_deltas')]);
  const shown = new Set<string>(isError ? [] : value.events.map((one: { sourceId: string }) => one.sourceId));
  for (const target of TARGETS) {
    const isSeen = sees.includes(target) && mayUse(caller, 'list_deltas');
    expect([caller, target, shown.has(world[target].record)]).toEqual([caller, target, isSeen]);
  }
});

it.each(CALLERS)('shows %s its visible records as resources', async (caller) => {
  const key = world.credentials[caller];
  for (const target of TARGETS) {
    const uri = `delta://sources/${world[target].record}/delta/latest`;
    const sees: readonly string[] = SOMEBODY[caller].sees;
    const isSeen = sees.includes(target) && SOMEBODY[caller].scope !== 'download';
    const { body } = await rpc(api, 'resources/read', { uri }, { key });
    expect([caller, target, body.error === undefined]).toEqual([caller, target, isSeen]);
    const { body: listed } = await rpc(api, 'resources/list', {}, { key });
    const uris = (listed.result.resources as { uri: string }[]).map((one) => one.uri);
    expect([caller, target, uris.includes(uri)]).toEqual([caller, target, isSeen]);
  }
});
