// Writes log lines to standard output, which may fail on a full disk or without a reader. Lines that cannot be written are
// dropped and counted, and the next line that can be written tells the count. The library's own writer would retry without end
// at the end of the process, or throw into the code that logs.
import { write, writeSync } from 'node:fs';
import { format } from 'node:util';
import type { Logger } from 'pino';

export interface LogOutput {
  /** @param line ends in a line feed */
  write: (line: string) => void;
  /** Tries once more to write the pending lines. */
  flush: () => void;
}

interface LogOutputOptions {
  fd: number;
  /** Lines are written together once there are this many bytes, or after a tenth of a second; 0 writes at once. */
  minBytes?: number;
  /** Returns the line that tells how many were dropped. */
  tellOfLoss: (count: number) => string;
}

/** Limit for lines that wait for a slow reader. */
const MAX_PENDING_BYTES = 1024 * 1024;
const FLUSH_EVERY_MS = 100;
const LINE_FEED = 10;
const MAX_CONSOLE_CHARACTERS = 10_000;
const LOST_WORDS = 'lines of the log could not be written and were dropped';
const NOTHING = Buffer.alloc(0);

interface Batch {
  bytes: Buffer;
  /** How many bytes are written. */
  at: number;
  /** Where the line about `lost` lines begins, after the rest of an earlier line. */
  lossAt: number;
  lost: number;
}

/** @public knip does not see the programs that tests run */
export function openLogOutput(options: LogOutputOptions): LogOutput {
  const { minBytes = 0, tellOfLoss } = options;
  let lines: string[] = [];
  let pendingBytes = 0;
  /** The rest of a line that was partly written. It must come before the next line. */
  let begun: Buffer = NOTHING;
  let dropped = 0;
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;

  const take = (): Batch => {
    const loss = dropped > 0 ? [tellOfLoss(dropped)] : [];
    const bytes = Buffer.concat([begun, Buffer.from([...loss, ...lines].join(''))]);
    lines = [];
    pendingBytes = 0;
    return { bytes, at: 0, lossAt: begun.length, lost: dropped };
  };
  const giveUp = (batch: Batch): void => {
    const { rest, lostLines } = leftOf(batch);
    begun = rest;
    dropped += lostLines;
  };
  const send = (batch: Batch): void => {
    write(options.fd, batch.bytes, batch.at, (error, written) => {
      batch.at += error === null ? written : 0;
      if (error === null && batch.at < batch.bytes.length) return send(batch);
      isWriting = false;
      if (error !== null) return giveUp(batch);
      begun = NOTHING;
      dropped -= batch.lost;
      if (lines.length > 0) later();
    });
  };
  const flushSoon = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting || lines.length === 0) return;
    isWriting = true;
    send(take());
  };
  const later = (): void => {
    timer ??= setTimeout(flushSoon, FLUSH_EVERY_MS).unref();
  };

  return {
    write: (line) => {
      if (pendingBytes > MAX_PENDING_BYTES) {
        dropped += 1;
        return;
      }
      lines.push(line);
      pendingBytes += line.length;
      if (pendingBytes >= minBytes) flushSoon();
      else later();
    },
    flush: () => writeNow(options.fd, take().bytes),
  };
}

function writeNow(fd: number, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
  } catch {
    // There is nowhere to report it.
  }
}

/** After a failed write: the rest of a line that was partly written, and the number of lost lines. */
function leftOf({ bytes, at, lossAt, lost }: Batch): { rest: Buffer; lostLines: number } {
  const isInLine = at > 0 ? bytes[at - 1] !== LINE_FEED : lossAt > 0;
  const left = bytes.subarray(at);
  const end = isInLine ? left.indexOf(LINE_FEED) + 1 : 0;
  const count = left.subarray(end).reduce((sum, byte) => (byte === LINE_FEED ? sum + 1 : sum), 0);
  // The line about earlier losses does not count, and once it is written they are reported.
  const told = at > lossAt ? lost : Math.min(lost, 1);
  return { rest: left.subarray(0, end), lostLines: count - told };
}

/** Opens standard output, and flushes it at the end of the process. */
export function openStandardOutput(name: string, minBytes = 0): LogOutput {
  const tellOfLoss = (count: number): string =>
    `${JSON.stringify({ level: 40, time: Date.now(), process: name, dropped: count, msg: LOST_WORDS })}\n`;
  const output = openLogOutput({ fd: 1, minBytes, tellOfLoss });
  process.on('exit', output.flush);
  return output;
}

/** Turns output of libraries into log lines, so that every line is JSON. */
export function takeOverConsole(log: Pick<Logger, 'warn'>): void {
  const tell = (...words: unknown[]): void => log.warn({ source: 'console' }, textOf(words));
  Object.assign(console, { log: tell, info: tell, warn: tell, error: tell, debug: tell, trace: tell });
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, code }: Error & { code?: string }) =>
    log.warn({ source: 'Node', name, code }, message),
  );
}

const textOf = (words: readonly unknown[]): string => format(...words).slice(0, MAX_CONSOLE_CHARACTERS);
