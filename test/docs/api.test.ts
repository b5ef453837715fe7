// docs/api.md lists every operation as it is declared. After a change: npx vitest run test/docs/api.test.ts --update
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import type { Operation } from '../../api/contract/operation.ts';
import { OPERATIONS } from '../../api/operations.ts';

const PAGE = fileURLToPath(new URL('../../docs/api.md', import.meta.url));

const INTRODUCTION = `# API

Every operation, by group. The API serves the whole reference, with every field, error and example: at \`/docs\` in a browser, and
as OpenAPI 3.1 at \`/v1/openapi.json\`. A test generates this page from the same table.

- \`:id\` is a record's id or slug, or \`self\` with a credential of one record. \`latest\` works for \`:snapshotId\`, and for
  \`:deltaEventId\` where the table says so.
- Bodies are JSON. [errors.md](errors.md) lists the errors.
- Operations with a clock take \`Prefer: wait=N\`: the answer waits until the check is done, for at most N seconds (1 to 60).
- Lists take \`limit\` and \`cursor\`, and some take \`order=asc|desc\`; newest first is the default. A page of large rows may have fewer
  than \`limit\`; \`hasMore\` and \`nextCursor\` say whether more follow.
- A \`limit\` above the maximum counts as the maximum: 200 for events, 5,000 for rows of an event, 100 for rows of a snapshot and for
  snapshots, 200 elsewhere.
- The scope is the smallest that a key needs: \`full\` includes \`read\`, and \`read\` includes \`download\` and \`feed\`. \`public\` needs no credential.
- \`GET /healthz\` (the process) and \`GET /readyz\` (database, Temporal, schema) need no credential either.
`;

it('docs/api.md lists every operation', async () => {
  const groups = [...Map.groupBy(OPERATIONS, ({ tag }) => tag)].map(
    ([tag, operations]) => `## ${tag}\n\n${tableOf(operations)}\n`,
  );
  const page = await format(`${INTRODUCTION}\n${groups.join('\n')}`, {
    ...(await resolveConfig(PAGE)),
    parser: 'markdown',
  });
  await expect(page).toMatchFileSnapshot(PAGE);
});

function tableOf(operations: readonly Operation[]): string {
  const header = ['| Operation | What it does | Scope | Query and body |', '| --- | --- | --- | --- |'];
  return [...header, ...operations.map(rowOf)].join('\n');
}

function rowOf(operation: Operation): string {
  const { http, scope, summary, mayWait = false, accountOnly = false, deprecated, query, body } = operation;
  const inputs = [
    ...Object.keys(query.properties).map((name) => `?${name}`),
    ...Object.keys(body?.properties ?? {}),
  ];
  const words = [deprecated === undefined ? '' : 'Deprecated. ', summary, mayWait ? ' ⏱' : ''].join('');
  const needs = accountOnly ? `${scope}, account key` : scope;
  const fields = inputs.map((name) => `\`${name}\``).join(' ');
  return `| \`${http.method} ${http.path}\` | ${words} | ${needs} | ${fields} |`;
}
