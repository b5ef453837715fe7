// docs/api.md lists every operation as the table declares it. After a change: npx vitest run test/docs/api.test.ts --update
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../api/operations.ts';

const PAGE = fileURLToPath(new URL('../../docs/api.md', import.meta.url));

const INTRODUCTION = `# API

Every operation. \`:id\` is a record's id or slug, and \`latest\` works for \`:snapshotId\`. Bodies are JSON, lists are
paginated by cursor, and errors are listed in [errors.md](errors.md). Operations marked with a clock take \`Prefer: wait=N\`
and hold the answer until the check is done, for N seconds at most (1 to 60). Besides: \`GET /healthz\` (the process) and
\`GET /readyz\` (database, Temporal, schema), without a credential.

Lists take \`limit\` and \`cursor\`, and where they have an order \`order=asc|desc\`, newest first by default. A page of rows may
hold fewer than \`limit\` when they are large; \`hasMore\` and \`nextCursor\` say whether more follow. A \`limit\` above the
endpoint's maximum is taken as that maximum: 200 for events, 5,000 for rows of an event, 100 for rows of a snapshot and for
snapshots, 200 elsewhere.
`;

it('docs/api.md lists every operation', async () => {
  const rows = OPERATIONS.map(({ http, scope, summary, mayWait, query, body }) => {
    const inputs = [
      ...Object.keys(query.properties).map((name) => `?${name}`),
      ...Object.keys(body?.properties ?? {}),
    ];
    const fields = inputs.map((name) => `\`${name}\``).join(' ');
    return `| \`${http.method} ${http.path}\` | ${summary}${mayWait ? ' ⏱' : ''} | ${scope} | ${fields} |`;
  });
  const table = [
    '| Operation | What it does | Scope | Query and body |',
    '| --- | --- | --- | --- |',
    ...rows,
  ];
  const page = await format(`${INTRODUCTION}\n${table.join('\n')}\n`, {
    ...(await resolveConfig(PAGE)),
    parser: 'markdown',
  });
  await expect(page).toMatchFileSnapshot(PAGE);
});
