// Stores all rows of a body as a new generation of its record: the accepted body under another rule, or a new body
// that is to be compared with nothing.
import type { Validators } from '../../db/commit/commit-facts.ts';
import { commitGeneration, type GenerationOutcome } from '../../db/commit/commit-generation.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { CheckHead } from './compare-body.ts';
import type { ActivityDeps } from '../deps.ts';
import { indexBody } from './index-body.ts';
import { describeBody, openStoredBody, type StoredBody } from './read-body.ts';
import { keyToBe, ruleOf } from './rule-in-force.ts';

/**
 * @param record with the rule that is to be, and the generation that is to end
 * @param heldCheckId of an accepted body in which the key repeats: another one is chosen from it
 * @throws CheckError the body cannot be read under this rule; the generation goes on
 */
export async function beginGeneration(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckHead,
  body: StoredBody & Validators,
  heldCheckId?: string,
): Promise<GenerationOutcome> {
  const isAccepted = check.trigger === 'settings';
  const { reader } = await openStoredBody(deps, record, body, {
    keyFields: heldCheckId === undefined ? keyToBe(record) : undefined,
    isAccepted,
  });
  const read = () => describeBody(record, reader, reader.summary(), body);
  const outcome = await commitGeneration(deps.db, {
    check,
    validators: body,
    batches: reader.batches(),
    body: read,
    rule: ruleOf(record),
    storedSha256: isAccepted ? body.sha256 : null,
    ...(heldCheckId !== undefined && { heldCheckId }),
  });
  if (outcome.outcome === 'rekeyed') {
    const begun = { ...record, generation: record.generation + 1 };
    await indexBody(deps, begun, { ...read(), dialect: reader.dialect });
  }
  return outcome;
}
