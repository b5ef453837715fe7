// Where log lines go: standard output, which a full disk or a reader that left may refuse. Lines that cannot be written are
// dropped and counted, and the count is the first line that can be written again. The library's own writer retries for ever
// when the process ends, or throws into whoever logs.
import { write, writeSync } from 'node:fs';
import { format } from 'node:util';
import type { Logger } from 'pino';

export interface LogOutput {
  /** @param line ends in a line feed */
  write: (line: string) => void;
  /** Tries once more to write what is left. */
  flush: () => void;
}

interface LogOutputOptions {
  fd: number;
  /** Lines are written together once there is so much of them, or after a tenth of a second; 0: at once. */
  minBytes?: number;
  /** The line that tells how many were dropped. */
  tellOfLoss: (count: number) => string;
}

/** More is not kept for a reader that does not read. */
const MAX_PENDING_BYTES = 1024 * 1024;
const FLUSH_EVERY_MS = 100;
const LINE_FEED = 10;
const MAX_CONSOLE_CHARACTERS = 10_000;
const LOST_WORDS = 'lines of the log could not be written and were dropped';
const NOTHING = Buffer.alloc(0);

interface Batch {
  bytes: Buffer;
  /** How much of it is written. */
  at: number;
  /** Where the line that tells of `lost` lines begins, behind the rest of an earlier line. */
  lossAt: number;
  lost: number;
}

function openLogOutput(options: LogOutputOptions): LogOutput {
  const { minBytes = 0, tellOfLoss } = options;
  let lines: string[] = [];
  let pendingBytes = 0;
  /** The rest of a line whose beginning is written: the next line has to begin where a line begins. */
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
    // Nobody is left to tell.
  }
}

/** What a batch that could not be written whole leaves: the rest of a line that has begun, and lines that are lost. */
function leftOf({ bytes, at, lossAt, lost }: Batch): { rest: Buffer; lostLines: number } {
  const isInLine = at > 0 ? bytes[at - 1] !== LINE_FEED : lossAt > 0;
  const left = bytes.subarray(at);
  const end = isInLine ? left.indexOf(LINE_FEED) + 1 : 0;
  const count = left.subarray(end).reduce((sum, byte) => (byte === LINE_FEED ? sum + 1 : sum), 0);
  // The line that tells of earlier losses is none of them; once it is written, they are told.
  const told = at > lossAt ? lost : Math.min(lost, 1);
  return { rest: left.subarray(0, end), lostLines: count - told };
}

/** Standard output of a process, until its end. */
export function openStandardOutput(name: string, minBytes = 0): LogOutput {
  const tellOfLoss = (count: number): string =>
    `${JSON.stringify({ level: 40, time: Date.now(), process: name, dropped: count, msg: LOST_WORDS })}\n`;
  const output = openLogOutput({ fd: 1, minBytes, tellOfLoss });
  process.on('exit', output.flush);
  return output;
}

/** Whatever a library prints becomes a line of the log, so that each line of the output is JSON. */
export function takeOverConsole(log: Pick<Logger, 'warn'>): void {
  const tell = (...words: unknown[]): void => log.warn({ source: 'console' }, textOf(words));
  Object.assign(console, { log: tell, info: tell, warn: tell, error: tell, debug: tell, trace: tell });
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, code }: Error & { code?: string }) =>
    log.warn({ source: 'Node', name, code }, message),
  );
}

const textOf = (words: readonly unknown[]): string => format(...words).slice(0, MAX_CONSOLE_CHARACTERS);
