// The log lines that the documents for operators quote.
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const sources = globSync('{activities,api,cli,core,db,outbound,telemetry,worker}/**/*.ts', { cwd: ROOT })
  .map(read)
  .join('\n');

/** Words of PostgreSQL, and commands. */
const OF_OTHERS = /^(npm|recordwatch) |^too many clients$/;

it.each(['docs/operations.md', 'docs/runbooks.md', 'docs/decisions/0026-one-error-for-unreachable.md'])(
  'regression: %s quotes only lines that the code writes',
  (document) => {
    const prose = read(document)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .replaceAll(/\s+/g, ' ');
    const quoted = [...prose.matchAll(/`([a-z]+(?: [a-z]+){2,})`/g)]
      .map(([, words = '']) => words)
      .filter((words) => !OF_OTHERS.test(words));
    expect(quoted).not.toEqual([]);
    const isWritten = (words: string): boolean => ["'", '`'].some((quote) => sources.includes(quote + words));
    expect(quoted.filter((words) => !isWritten(words))).toEqual([]);
  },
);
