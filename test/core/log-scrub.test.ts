// Log lines of every process contain no credential and no customer's data, whatever is logged.
import type { Logger } from 'pino';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../api/http/logger.ts';
import { mintApiKey } from '../../core/crypto/api-key.ts';
import { scrubLine } from '../../core/log-scrub.ts';
import { createLog } from '../../worker/log.ts';

const LOGGERS = { api: createLogger, worker: createLog };

function logged(make: typeof createLog, write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(make('debug', { write: (line) => void lines.push(line) }));
  for (const line of lines) JSON.parse(line);
  return lines.join('');
}

/** Every way in which an error is logged. */
const waysToLog =
  (error: Error) =>
  (log: Logger): void => {
    log.error(error);
    log.error({ err: error }, 'x');
    log.error({ error }, error.message);
    log.warn({ reason: error, list: [{ deep: { cause: error } }] }, 'x');
    log.child({ err: error }).info('x');
    log.info({ err: new Error('outer', { cause: error }) }, 'x');
    log.info({ err: new AggregateError([error], 'several', { cause: { error } }) }, 'x');
  };

describe.each(Object.entries(LOGGERS))('the log of the %s', (process, make) => {
  it('names its process', () => {
    expect(JSON.parse(logged(make, (log) => log.info({ recordId: 'src_1' }, 'hello')))).toMatchObject({
      process,
      recordId: 'src_1',
      msg: 'hello',
    });
  });

  it('contains no token, wherever it was', () => {
    const { value } = mintApiKey('account');
    const secret = value.split('_')[2] ?? '';
    const line = logged(make, (log) => {
      waysToLog(new Error(`refused ${value}`))(log);
      log.info({ list: [{ [value]: value }] }, `saw ${value.replaceAll('_', '%5F')}`);
    });
    expect(line.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(line).toContain('cat_live_[hidden]');
  });

  it('contains no query and no credentials of a URL', () => {
    const url = 'https://ann:s3cret@example.com:8443/feed.csv?key=private-1#private-2';
    const line = logged(make, (log) => {
      waysToLog(new TypeError(`Invalid URL "${url}"`))(log);
      waysToLog(Object.assign(new Error('x'), { input: url }))(log);
      log.info({ url, finalUrl: [url] }, `fetched ${url}, then ${url}`);
    });
    expect(line).not.toMatch(/s3cret|private/);
    expect(line).toContain('https://[hidden]@example.com:8443/feed.csv?[hidden]');
  });

  it('contains no member with the name of a secret', () => {
    const line = logged(make, (log) => {
      for (const name of [
        'secret',
        'authPassword',
        'authorization',
        'set-cookie',
        'X-Api-Key',
        'authToken',
      ]) {
        log.info({ [name]: 'opaque', deep: { list: [{ [name]: { of: 'opaque' } }] } }, 'x');
      }
    });
    expect(line).not.toContain('opaque');
  });

  it('stops at a cycle of members or causes', () => {
    const error = new Error('round');
    error.cause = error;
    const round: { self?: unknown } = {};
    round.self = round;
    const line = logged(make, (log) => log.error({ err: error, round }, 'x'));
    expect(line).toContain('"msg":"x"');
  });

  it('does not change dates, numbers and texts', () => {
    const at = new Date(0);
    expect(
      JSON.parse(logged(make, (log) => log.info({ at, of: { at, n: 1, none: null } }, 'a - b'))),
    ).toMatchObject({
      at: at.toISOString(),
      of: { at: at.toISOString(), n: 1, none: null },
      msg: 'a - b',
    });
  });
});

it.each([
  ['https://example.com/a.csv', 'https://example.com/a.csv'],
  ['https://example.com?a=b', 'https://example.com?[hidden]'],
  ['"https://example.com/?a=b"', '"https://example.com/?[hidden]"'],
  ['postgres://user:pa?ss#1@db:5432/x', 'postgres://[hidden]@db:5432/x'],
  ['s3://id:secret@bucket?endpoint=https://x/', 's3://[hidden]@bucket?[hidden]'],
  ['https://token@example.com/a@b', 'https://[hidden]@example.com/a@b'],
  ['file:///app/node_modules/@scope/x.ts:1:2', 'file:///app/node_modules/@scope/x.ts:1:2'],
  [
    'at https://a.example/x?y and http://b.example/z#w.',
    'at https://a.example/x?[hidden] and http://b.example/z?[hidden]',
  ],
])('turns %j into %j', (given, scrubbed) => {
  expect(scrubLine(given)).toBe(scrubbed);
});
