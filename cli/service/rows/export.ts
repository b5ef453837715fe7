// Writes a version of a record, or the rows of a change, into a file. The file appears when it is complete.
import { randomUUID } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  linkSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isForeign, PermissionError } from '../../../clients/typescript/src/errors.ts';
import type { Download } from '../../../clients/typescript/src/http/download.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import type { CsvEscape } from '../../../core/export/csv-cell.ts';
import { safeLines } from '../../../core/text/safe-text.ts';
import { EXIT } from '../../operator/fail.ts';
import { connect } from '../access/connect.ts';
import { given } from '../calls/given.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { filterQuery } from './filters.ts';
import { createProgress, type Progress, sizeText } from './progress.ts';
import { OtherFile, wholeFile } from './whole-file.ts';

export interface ExportOptions {
  output?: string;
  format: 'csv' | 'jsonl';
  csvEscape: CsvEscape;
  snapshot: string;
  event?: string;
  search?: string;
  filter: string[];
  force?: true;
  json?: true;
}

const STDOUT = '-';

export async function exportRecord(reference: string, options: ExportOptions): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end);
  const client = connect();
  let progress: Progress | undefined;
  try {
    const version = await findVersion(client, reference, options, ended.signal);
    progress = createProgress(version.rows);
    const saved = await download(client, reference, { ...options, ...version }, progress, ended.signal);
    progress.end();
    if (saved !== undefined) tell(saved, options);
  } catch (error) {
    progress?.end();
    if (!ended.signal.aborted) throw error;
    process.exitCode = INTERRUPTED;
  }
}

const INTERRUPTED = 130;

interface Saved {
  file: string;
  bytes: number;
}

function tell(saved: Saved, { json }: ExportOptions): void {
  if (json) console.log(JSON.stringify(saved));
  else console.error(`${saved.file}: ${sizeText(saved.bytes)}`);
}

/** @returns undefined for standard output */
async function download(
  client: Recordwatch,
  reference: string,
  options: ExportOptions & Version,
  progress: Progress,
  signal: AbortSignal,
): Promise<Saved | undefined> {
  const { format, rows, event, snapshot } = options;
  const isLatest = (event ?? snapshot) === LATEST;
  const reopen = (): Promise<Download> => open(client, reference, options, signal);
  for (let restarts = 0; ; restarts += 1) {
    // The next file can only be requested when it is known that this one is not the right one.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await reopen();
    const file = options.output ?? safeName(answer.fileName);
    const pieces = wholeFile(answer, { reopen, onBreak: progress.resume, format, rows, isLatest, signal });
    try {
      if (file === STDOUT) return await pour(pieces, process.stdout, progress, signal).then(() => undefined);
      return { file, bytes: await save(answer, pieces, file, options, progress, signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (file === STDOUT || !(error instanceof OtherFile) || restarts >= MOST_RESTARTS) throw error;
      progress.restart();
      // oxlint-disable-next-line no-await-in-loop
      await pause(RESTART_PAUSE_MS, undefined, { signal });
    }
  }
}

const LATEST = 'latest';
const MOST_RESTARTS = 3;
const RESTART_PAUSE_MS = 1_000;

function open(
  client: Recordwatch,
  reference: string,
  { event, snapshot, format, csvEscape, search, filter }: ExportOptions,
  signal: AbortSignal,
): Promise<Download> {
  // The API refuses it with other formats.
  const kind = given({ format, escape: csvEscape === 'none' ? undefined : csvEscape });
  const call = { signal, timeoutMs: UNTIL_FIRST_BYTE_MS };
  if (event !== undefined) return client.changes.download(reference, event, kind, call);
  const query = { ...kind, ...given({ search, filter: filterQuery(filter) }) };
  return client.snapshots.download(reference, snapshot, query, call);
}

/** A search may pass many rows before it finds the first one. */
const UNTIL_FIRST_BYTE_MS = 60_000;

/** The service's own name for it. Nothing in it may lead into another folder. */
const safeName = (name = ''): string => (/^\w[\w.-]*$/.test(name) ? name : 'export');

/** @returns the bytes of the file @throws ServiceFault there is such a file, or it is not for files */
async function save(
  answer: Download,
  pieces: AsyncIterable<Uint8Array>,
  file: string,
  { force }: ExportOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const obstacle = obstacleAt(file, force === true);
  if (obstacle !== undefined) {
    await answer.stream.cancel();
    throw obstacle;
  }
  const target = targetOf(file);
  // Process ids repeat: two containers may share a volume.
  const part = `${target}.${randomUUID()}.part`;
  try {
    const bytes = await pour(pieces, createWriteStream(part, { flags: 'wx' }), progress, signal);
    if (force === true) renameSync(part, target);
    else renameToNew(part, target);
    return bytes;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Where a link leads, also if nothing is there yet: a link stays, such as /dev/stdout. */
function targetOf(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  return targetOf(resolve(realpathSync(dirname(file)), readlinkSync(file)));
}

/** @throws ServiceFault another program has made the file meanwhile */
function renameToNew(part: string, file: string): void {
  try {
    linkSync(part, file);
  } catch {
    if (lstatSync(file, { throwIfNoEntry: false })) throw thereIs(file);
    // Some file systems have no hard links.
    renameSync(part, file);
  }
}

function obstacleAt(file: string, isForced: boolean): ServiceFault | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  // A link may lead to no file.
  if (stats === undefined && (isForced || !lstatSync(file, { throwIfNoEntry: false }))) return undefined;
  if (stats === undefined || (stats.isFile() && !isForced)) return thereIs(file);
  if (stats.isFile()) return undefined;
  return new ServiceFault(`${file} is there, and is not a file.`, {
    advice: 'For a device or a pipe, use standard output: --output -',
    exitCode: EXIT.misuse,
  });
}

const thereIs = (file: string): ServiceFault =>
  new ServiceFault(`There is a file ${file}.`, {
    advice: 'Name another one with --output, or replace it with --force.',
    exitCode: EXIT.misuse,
  });

async function pour(
  pieces: AsyncIterable<Uint8Array>,
  into: NodeJS.WritableStream,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0;
  // Values could give commands to a terminal.
  const isGuarded = into === process.stdout && process.stdout.isTTY;
  const decoder = new TextDecoder();
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      progress.add(chunk);
      done(null, isGuarded ? safeLines(decoder.decode(chunk, { stream: true })) : chunk);
    },
  });
  // Standard output stays open for whatever follows.
  await pipeline(pieces, counting, into, { signal, end: into !== process.stdout });
  return bytes;
}

interface Version {
  /** Its id, so that a newer version does not take its place meanwhile. */
  snapshot: string;
  /** How many the file has; undefined if that is not known. */
  rows: number | undefined;
}

async function findVersion(
  client: Recordwatch,
  reference: string,
  { event, snapshot, search, filter }: ExportOptions,
  signal: AbortSignal,
): Promise<Version> {
  if (event !== undefined) return { snapshot, rows: undefined };
  const isWhole = search === undefined && filter.length === 0;
  return client.snapshots.get(reference, snapshot, { signal }).then(
    ({ id, totalRows, columns }) => ({
      snapshot: id,
      // CSV without columns has no lines.
      rows: isWhole && columns.length > 0 ? totalRows : undefined,
    }),
    (error: unknown) => {
      // A key may be for downloads alone.
      if (!(error instanceof PermissionError) || isForeign(error)) throw error;
      return { snapshot, rows: undefined };
    },
  );
}
