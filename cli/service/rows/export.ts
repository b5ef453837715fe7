// Writes a version of a record, or the rows of a change, into a file. The file appears when it is complete.
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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

/** How often a download is begun. The service sends a file from its beginning only. */
const ATTEMPTS = 4;
const STDOUT = '-';

export async function exportRecord(reference: string, options: ExportOptions): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const client = connect();
  const progress = createProgress(await rowsToCome(client, reference, options));
  try {
    const saved = await download(client, reference, options, progress, ended.signal);
    progress.end();
    if (saved !== undefined) tell(saved, options);
  } catch (error) {
    progress.end();
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
  options: ExportOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Saved | undefined> {
  for (let attempt = 1; ; attempt++) {
    const answer = await open(client, reference, options, signal);
    const file = options.output ?? safeName(answer.fileName);
    try {
      if (file === STDOUT) return await pour(answer, process.stdout, progress, signal).then(() => undefined);
      return { file, bytes: await save(answer, file, options, progress, signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (!isBroken(error)) throw error;
      if (file === STDOUT || attempt === ATTEMPTS) throw brokenOff(file);
      progress.restart();
    }
  }
}

/** The connection ended early. fetch says so, and errors of files are no TypeErrors. */
const isBroken = (error: unknown): boolean => error instanceof TypeError && error.cause instanceof Error;

const brokenOff = (file: string): ServiceFault =>
  new ServiceFault('The connection broke off before the file was complete.', {
    code: 'incomplete',
    advice:
      file === STDOUT ? 'What was written is incomplete. Start again, with --output FILE.' : 'Start again.',
  });

function open(
  client: Recordwatch,
  reference: string,
  { event, snapshot, format, csvEscape, search, filter }: ExportOptions,
  signal: AbortSignal,
): Promise<Download> {
  // The API refuses it with other formats.
  const kind = given({ format, escape: csvEscape === 'none' ? undefined : csvEscape });
  if (event !== undefined) return client.changes.download(reference, event, kind, { signal });
  const query = { ...kind, ...given({ search, filter: filterQuery(filter) }) };
  return client.snapshots.download(reference, snapshot, query, { signal });
}

/** The service's own name for it. Nothing in it may lead into another folder. */
const safeName = (name = ''): string => (/^\w[\w.-]*$/.test(name) ? name : 'export');

/** @returns the bytes of the file @throws ServiceFault there is such a file */
async function save(
  answer: Download,
  file: string,
  { force }: ExportOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  if (force !== true && existsSync(file)) {
    await answer.stream.cancel();
    throw new ServiceFault(`There is a file ${file}.`, {
      advice: 'Name another one with --output, or replace it with --force.',
      exitCode: EXIT.misuse,
    });
  }
  const part = `${file}.${process.pid}.part`;
  try {
    const bytes = await pour(answer, createWriteStream(part, { flags: 'wx' }), progress, signal);
    renameSync(part, file);
    return bytes;
  } finally {
    rmSync(part, { force: true });
  }
}

async function pour(
  answer: Download,
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
  // The types of Node and of browsers differ.
  const body = Readable.fromWeb(answer.stream as never);
  // Standard output stays open for whatever follows.
  await pipeline(body, counting, into, { signal, end: into !== process.stdout });
  return bytes;
}

/** Rows of the file, for the progress bar; undefined if it is not shown, or they are unknown. */
async function rowsToCome(
  client: Recordwatch,
  reference: string,
  { event, snapshot, search, filter }: ExportOptions,
): Promise<number | undefined> {
  if (!process.stderr.isTTY || event !== undefined || search !== undefined || filter.length > 0)
    return undefined;
  // A key may be for downloads alone. The download itself reports all other faults.
  return client.snapshots.get(reference, snapshot).then(
    ({ totalRows }) => totalRows,
    () => undefined,
  );
}
