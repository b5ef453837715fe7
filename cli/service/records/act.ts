// Pauses, resumes, checks and deletes a record.
import type { Check } from '../../../clients/typescript/src/models.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { EXIT } from '../../operator/fail.ts';
import { connect } from '../access/connect.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { confirm } from '../output/confirm.ts';
import { stateOf } from './state.ts';

export async function switchRecord(
  reference: string,
  action: 'pause' | 'resume',
  options: AnswerOptions,
): Promise<void> {
  const record = await connect().records[action](reference);
  await answer(options, record, () => safeText(`${record.slug}: ${stateOf(record)}`));
}

/** @throws ServiceFault the check failed or is held */
export async function checkRecord(
  reference: string,
  options: AnswerOptions & { wait: number },
): Promise<void> {
  const check = await connect().checks.run(reference, { waitSeconds: options.wait });
  const { error, number } = check;
  await answer(options, check, () => safeText(checkWords(check)));
  if (error === null) return;
  process.exitCode = EXIT.failed;
  if (options.json) return;
  const advice = check.outcome === 'held' ? 'Accept or discard it in the dashboard.' : undefined;
  throw new ServiceFault(`Check ${number}: ${error.detail}`, { code: error.code, advice });
}

function checkWords({ number, outcome, isBaseline, rows, deltaEventId }: Check): string {
  if (outcome === null) return 'The check was requested, and is not done yet.';
  const found = isBaseline ? `first version, ${rows} rows` : outcome;
  return `Check ${number}: ${found}${deltaEventId === null ? '' : ` (${deltaEventId})`}`;
}

export async function deleteRecord(
  reference: string,
  options: AnswerOptions & { yes?: true },
): Promise<void> {
  const client = connect();
  const { id, slug, name } = await client.records.get(reference);
  await confirm(`Delete the record ${slug} (${name}) with all of its history?`, options.yes);
  await client.records.delete(id);
  await answer(options, { id, slug, deleted: true }, () => safeText(`Deleted ${slug}.`));
}
