// Locks between processes: one holder at a time. However the holder ends, the lock is free.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { awaitLock, holdLock } from '../../../cli/process/hold-lock.ts';
import { LIVENESS_MS } from '../../support/until.ts';
import { runNode } from './run-node.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOLD = `
  import { holdLock } from '../../../cli/process/hold-lock.ts';
  console.log(holdLock(process.env.LOCK) === undefined ? 'refused' : 'held');
  setInterval(() => {}, 1000);
`;

test('a second holder is refused until the first releases it', () => {
  const path = join(temporaryFolder(), 'deep', 'a.lock');
  const first = holdLock(path);
  expect(first?.path).toBe(path);
  expect(holdLock(path)).toBeUndefined();
  first?.[Symbol.dispose]();
  const second = holdLock(path);
  expect(second).toBeDefined();
  second?.[Symbol.dispose]();
});

test('waits for a lock of another process, which becomes free when that process is killed', async () => {
  const path = join(temporaryFolder(), 'a.lock');
  const other = runNode(HOLD, import.meta.url, { LOCK: path });
  await other.says('held');
  expect(holdLock(path)).toBeUndefined();
  let waits = 0;
  const lock = awaitLock(path, { onWait: () => (waits += 1), timeoutMs: LIVENESS_MS });
  await other.kill();
  using held = await lock;
  expect(held.path).toBe(path);
  expect(waits).toBe(1);
});

test('waiting ends with the timeout and with the signal', async () => {
  const path = join(temporaryFolder(), 'a.lock');
  using lock = holdLock(path);
  expect(lock).toBeDefined();
  const onWait = () => undefined;
  await expect(awaitLock(path, { onWait, timeoutMs: 0 })).rejects.toThrow('in vain');
  const abort = new AbortController();
  const waiting = awaitLock(path, { onWait, signal: abort.signal });
  abort.abort(new Error('asked to end'));
  await expect(waiting).rejects.toThrow('asked to end');
});
