// Reads a record's stored body under other settings, to preview them. It stores only the preview.
import { Context } from '@temporalio/activity';
import { headerRowOf, quotingOf } from '../../core/delta/model.ts';
import { CheckError } from '../../core/errors.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import {
  answerPreview,
  findPreview,
  type PreviewedRule,
  type PreviewResult,
} from '../../db/records/rule-previews.ts';
import type { PreviewRuleInput } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { type CheckDeps, fairnessKeyOf, runLong } from './check-deps.ts';
import { safeDetail, withoutEchoes } from './commit-problem.ts';
import { openStoredBody, ReadTooSlow } from './read-body.ts';
import { acceptedBody, keyToBe } from './record-rule.ts';

/** Includes the wait for a slot. Shorter than the activity's timeout, so that the answer can say that it took too long. */
const READ_WITHIN_MS = 20_000;

export async function previewRule(deps: CheckDeps, { previewId }: PreviewRuleInput): Promise<void> {
  const preview = await findPreview(deps.db, previewId);
  const record = preview === undefined ? undefined : await findRecord(deps.db, preview.recordId);
  // The preview expired or the record was deleted, so nobody waits for the answer.
  if (preview === undefined || record === undefined) return;
  const untilMs = Date.now() + READ_WITHIN_MS;
  const { cancellationSignal } = Context.current();
  const reading = () => read(deps, record, preview.rule, untilMs);
  const result = await runLong(deps, fairnessKeyOf(record), cancellationSignal, reading).catch(
    async (error: unknown): Promise<PreviewResult> => {
      if (error instanceof ReadTooSlow) return { kind: 'too-slow' };
      if (!(error instanceof CheckError)) throw error;
      const { code, message: detail } = error;
      return {
        kind: 'failed',
        code,
        detail: await safeDetail(deps, record, acceptedBody(record).urlHash, { code, detail }),
      };
    },
  );
  await answerPreview(deps.db, previewId, result);
}

async function read(
  deps: ActivityDeps,
  found: TrackedRecord,
  rule: PreviewedRule,
  untilMs: number,
): Promise<PreviewResult> {
  const record = { ...found, ...rule, dialectVersion: found.headDialectVersion, startsOverGeneration: null };
  const reading = {
    keyFields: keyToBe(record),
    isAccepted: true,
    untilMs,
  };
  const { reader, isEcho } = await openStoredBody(deps, record, acceptedBody(found), reading);
  for await (const _rows of reader.batches()) {
    // The summary has all that is needed.
  }
  const { columns, rowCount, ...summary } = reader.summary();
  const warnings = withoutEchoes(summary.warnings, isEcho);
  const { fields, evidence } = reader.key;
  // A detected key that stays keeps its evidence.
  const keyEvidence = rule.keyFields === null ? (evidence ?? found.keyEvidence) : null;
  const { dialect } = reader;
  const layout = { headerRow: headerRowOf(dialect), quoting: quotingOf(dialect) };
  return { kind: 'read', ...layout, keyFields: [...fields], keyEvidence, columns, rowCount, warnings };
}
