// Log lines contain no credential, whatever is logged.
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../api/http/logger.ts';
import { mintApiKey } from '../../../core/crypto/api-key.ts';

const kinds = ['account', 'record', 'ephemeral'] as const;

function logged(write: (log: ReturnType<typeof createLogger>) => void): {
  line: string;
  parsed: Record<string, never>;
} {
  const lines: string[] = [];
  write(createLogger('debug', { write: (line) => void lines.push(line) }));
  const line = lines.join('');
  return { line, parsed: JSON.parse(line) };
}

/** Every form that a credential can have in a line. */
function formsOf(token: string): string[] {
  const encoded = token.replaceAll('_', '%5F');
  return [token, encoded, encoded.toLowerCase(), `Bearer ${token}`, `/v1/mcp?token=${token}`, `a"${token}"b`];
}

describe.each(kinds)('a token of kind %s', (kind) => {
  const { value } = mintApiKey(kind);
  const secret = value.split('_')[2] ?? '';

  it('is in no message, member, error or cause of an error', () => {
    for (const form of formsOf(value)) {
      const error = new Error(`outer ${form}`, { cause: new Error(form, { cause: { deep: form } }) });
      for (const { line } of [
        logged((log) => log.info(`saw ${form}`)),
        logged((log) => log.info({ path: form, nested: { list: [form] } }, 'x')),
        logged((log) => log.error({ err: error }, form)),
        logged((log) => log.error(error)),
        logged((log) => log.child({ bound: form }).warn('x')),
        logged((log) => log.info({ [form]: 1 }, 'x')),
        logged((log) => log.info({ req: { method: 'GET', url: form } }, 'x')),
      ]) {
        expect(line.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    }
  });

  it('leaves its kind visible', () => {
    expect(logged((log) => log.info(value)).parsed['msg']).toBe(
      `${value.slice(0, value.lastIndexOf('_'))}_[hidden]`,
    );
  });
});

it('hides values that are passed as a token, in any form', () => {
  const { line } = logged((log) =>
    log.info(
      { a: '/x?token=opaque-1&b=2', c: 'access_token=opaque-2', d: 'TOKEN=opaque-3#x' },
      'token=opaque-4',
    ),
  );
  expect(line).not.toContain('opaque');
  expect(JSON.parse(line)).toMatchObject({ a: '/x?token=[hidden]&b=2', msg: 'token=[hidden]' });
});

it('hides members whose name says that they are secret', () => {
  const { line } = logged((log) =>
    log.info({ headers: { authorization: 'opaque' }, x: { secret: 'opaque', password: 'opaque' } }, 'x'),
  );
  expect(line).not.toContain('opaque');
});

it('shows no query of a request', () => {
  const { parsed } = logged((log) => log.info({ req: { method: 'GET', url: '/v1/x?q=private' } }, 'x'));
  expect(parsed['req']).toEqual({ method: 'GET', path: '/v1/x' });
});

it('shows only named members of an error, and stops at a cycle of causes', () => {
  const error = Object.assign(new Error('outer'), { code: 'E1', detail: 'Key (name)=(private) exists.' });
  error.cause = error;
  const { line, parsed } = logged((log) => log.error({ err: error }, 'x'));
  expect(parsed['err']).toMatchObject({ message: 'outer', code: 'E1', cause: { message: 'outer' } });
  expect(line).not.toContain('private');
});
