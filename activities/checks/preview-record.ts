// Fetches and reads a URL as the first check of a record would, to preview the record. It stores only the preview.
import { Context } from '@temporalio/activity';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { echoTest } from '../../core/credential-echo.ts';
import { openField, sourceCredentialsContext, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { headerRowOf, quotingOf, ROW_LIMITS } from '../../core/delta/model.ts';
import { scanBody } from '../../core/delta/raw/scan-body.ts';
import { openRows, type RowReader } from '../../core/delta/read-rows.ts';
import { CHECK_ERRORS, CheckError } from '../../core/errors.ts';
import { type AuthFields, credentialsToSend, originOf } from '../../core/source-credentials.ts';
import { TIERS } from '../../core/tiers.ts';
import {
  answerRecordPreview,
  type AskedPreview,
  findRecordPreview,
  type PreviewedSettings,
  type RecordPreviewResult,
} from '../../db/records/record-previews.ts';
import { waiting } from '../../db/driver/pulse.ts';
import type { PreviewRecordInput } from '../../workflows/contract.ts';
import { waitingForOthers } from '../check-slots.ts';
import { fetchBody, type FetchedResponse } from '../fetch/fetch-body.ts';
import { type OriginCredentials, userAgent } from '../fetch/open-origin.ts';
import { type CheckDeps, fairnessKeyOf, runLong } from './check-deps.ts';
import { withoutEchoes } from './commit-problem.ts';
import { takeTurn } from './fetch-source.ts';
import { ReadTooSlow, refuseNothing } from './read-body.ts';

/** For all of it, with waits. Shorter than the activity's timeout, so that the answer can say that it took too long. */
const WITHIN_MS = 20_000;
const MAX_ROWS = 10;
/** The first row is shown at any size. */
const MAX_ROWS_BYTES = 256 * 1024;
const CHUNK_BYTES = 1024 * 1024;

type Fetched = Extract<FetchedResponse, { status: 'ok' }>;

/** Running twice sends two requests. The later answer stays. */
export async function previewRecord(deps: CheckDeps, { previewId }: PreviewRecordInput): Promise<void> {
  const asked = await findRecordPreview(deps.db, previewId);
  // Nobody waits for the answer any more.
  if (asked === undefined) return;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new ReadTooSlow('The preview took too long')), WITHIN_MS);
  const signal = AbortSignal.any([Context.current().cancellationSignal, late.signal]);
  try {
    await answerRecordPreview(deps.db, previewId, await preview(deps, previewId, asked, signal));
  } finally {
    clearTimeout(timer);
  }
}

async function preview(
  deps: CheckDeps,
  previewId: string,
  asked: AskedPreview,
  signal: AbortSignal,
): Promise<RecordPreviewResult> {
  let isEcho = (_text: string): boolean => false;
  try {
    const credentials = openCredentials(deps, previewId, asked);
    isEcho = echoTest(credentials);
    const result = await fetchAndRead(deps, asked, credentials, signal);
    return { ...result, warnings: withoutEchoes(result.warnings, isEcho) };
  } catch (error) {
    if (error instanceof ReadTooSlow || signal.reason instanceof ReadTooSlow) return { kind: 'too-slow' };
    if (!(error instanceof CheckError)) throw error;
    const { code, message } = error;
    return { kind: 'failed', code, detail: isEcho(message) ? CHECK_ERRORS[code] : message };
  }
}

/** @throws CheckError credentials_unreadable */
function openCredentials(
  { config, log }: CheckDeps,
  previewId: string,
  { accountId, wrappedDataKey, settings, sealed }: AskedPreview,
): OriginCredentials {
  if (settings.authType === 'none' || sealed === null) return {};
  try {
    const dataKey = unwrapDataKey(config.keyEncryptionKeys, accountId, wrappedDataKey);
    const context = sourceCredentialsContext(accountId, previewId, originOf(settings.url));
    // The API seals the fields of the type; credentialsToSend validates each.
    return credentialsToSend(
      settings.authType,
      JSON.parse(openField(dataKey, sealed, context)) as AuthFields,
    );
  } catch (err) {
    log.error({ err, previewId }, 'the credentials of a preview cannot be opened');
    throw new CheckError('credentials_unreadable');
  }
}

async function fetchAndRead(
  deps: CheckDeps,
  { accountId, settings }: AskedPreview,
  credentials: OriginCredentials,
  signal: AbortSignal,
): Promise<Extract<RecordPreviewResult, { kind: 'read' }>> {
  const source = { ...settings, accountId };
  const fairnessKey = fairnessKeyOf(source);
  const release = await awaitTurn(deps, source, signal);
  const reserved = deps.spool.open(fairnessKey);
  try {
    const fetched = await waitingForOthers(() =>
      fetchBody({
        url: settings.url,
        guard: deps.guard,
        userAgent: userAgent(deps.config.baseUrl),
        credentials,
        folder: deps.spoolDir,
        maxBytes: TIERS[settings.tier].maxBodyBytes,
        onProgress: reserved.growTo,
        takeWindow: () => waiting(() => deps.windows.take(fairnessKey, { signal })),
        signal,
      }),
    ).finally(release);
    // Only a conditional request gets another answer.
    if (fetched.status !== 'ok') throw new CheckError('http_error', `Status ${fetched.httpStatus}.`);
    try {
      return await runLong(deps, fairnessKey, signal, () => read(settings, fetched, signal));
    } finally {
      await rm(fetched.file, { force: true });
    }
  } finally {
    reserved.release();
  }
}

/** Waits like a check for the turn at the origin. @throws ReadTooSlow */
async function awaitTurn(
  deps: CheckDeps,
  source: Parameters<typeof takeTurn>[1],
  signal: AbortSignal,
): Promise<() => void> {
  for (let hasWaited = false; ; hasWaited = true) {
    const turn = await takeTurn(deps, source, { hasWaited }, signal);
    if ('release' in turn) return turn.release;
    if (turn.waitMs > WITHIN_MS) throw new ReadTooSlow('Others are at the origin');
    await waitingForOthers(() => sleep(turn.waitMs, undefined, { signal }));
  }
}

async function read(
  settings: PreviewedSettings,
  { file, sizeBytes, headers }: Fetched,
  signal: AbortSignal,
): Promise<Extract<RecordPreviewResult, { kind: 'read' }>> {
  if (sizeBytes === 0) throw new CheckError('empty_body');
  const openBody = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
      signal.throwIfAborted();
      yield chunk;
    }
  };
  const reader = await openRows(openBody, {
    format: settings.format ?? undefined,
    delimiter: settings.delimiter ?? undefined,
    rowsPath: settings.rowsPath ?? undefined,
    headerRow: settings.headerRow ?? undefined,
    quoting: settings.quoting,
    contentType: headers.contentType ?? undefined,
    keyFields: settings.keyFields ?? undefined,
    ignoreFields: settings.ignoreFields,
    rules: settings.rules,
    limits: { ...ROW_LIMITS, maxRows: TIERS[settings.tier].maxRows },
    openScan: scanBody(sizeBytes),
  });
  const rows = await firstRows(reader);
  const { columns, rowCount, warnings } = reader.summary();
  const { format, delimiter, rowsPath } = reader.dialect;
  refuseNothing(reader.dialect, { columns, rowCount });
  return {
    kind: 'read',
    format,
    delimiter,
    rowsPath: format === 'json' ? rowsPath : null,
    headerRow: headerRowOf(reader.dialect),
    quoting: quotingOf(reader.dialect),
    keyFields: [...reader.key.fields],
    keyEvidence: settings.keyFields === null ? reader.key.evidence : null,
    columns,
    rowCount,
    sizeBytes,
    rows,
    warnings: [...reader.remarks, ...warnings],
  };
}

/** Reads all rows, because one may be at fault, and keeps the first ones. Of rows with the same key the last one counts. */
async function firstRows(reader: RowReader): Promise<{ key: string; data: string }[]> {
  const first = new Map<string, string>();
  let bytes = 0;
  let isFull = false;
  for await (const rows of reader.batches()) {
    for (const { key, data } of isFull ? rows.filter(({ isRepeat }) => isRepeat) : rows) {
      const earlier = first.get(key);
      if (isFull && earlier === undefined) continue;
      first.set(key, data);
      bytes += Buffer.byteLength(data) - Buffer.byteLength(earlier ?? '');
      while (first.size > MAX_ROWS || (first.size > 1 && bytes > MAX_ROWS_BYTES)) {
        isFull = true;
        const [last, left] = [...first].at(-1) ?? ['', ''];
        first.delete(last);
        bytes -= Buffer.byteLength(left);
      }
    }
  }
  return Array.from(first, ([key, data]) => ({ key, data }));
}
