// Decides under the lock of a commit whether a body is held because of its rows: few of them, or an end as after an export that
// broke off.
import { CheckError } from '../../core/errors.ts';
import { isSharpDrop, mayHaveBrokenOff } from '../../core/sharp-drop.ts';
import type { IsSharpDrop, ReadBody } from '../../db/commit/commit-facts.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { RecordDeltaInput } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { heldTimes } from './hold-check.ts';
import { openStoredBody } from './read-body.ts';
import { acceptedBody } from './record-rule.ts';

interface DropJudge {
  isSharpDrop: IsSharpDrop;
  /**
   * Call it for a body that isSharpDrop has held. Reads the accepted body if the check that read it is no longer kept.
   * @returns whether that body ended in the same way, so that the new one must not be held because of its end
   */
  findsFooter: (record: TrackedRecord, body: ReadBody) => Promise<boolean>;
}

/** @param hasFooter whether the accepted body is known to have an incomplete row */
export function createDropJudge(deps: ActivityDeps, input: RecordDeltaInput, hasFooter: boolean): DropJudge {
  let isUnclear = false;
  return {
    isSharpDrop: async (rows, { incompleteEnd }, findEarlier) => {
      isUnclear = false;
      const timed = { ...rows, ...heldTimes(deps, input, rows) };
      if (isSharpDrop(timed)) return true;
      if (hasFooter || !mayHaveBrokenOff(timed, incompleteEnd)) return false;
      const earlier = await findEarlier();
      isUnclear = earlier === undefined;
      return earlier?.some(({ code }) => code === incompleteEnd?.code) !== true;
    },
    findsFooter: async (record, { incompleteEnd }) =>
      isUnclear && (await readWarnings(deps, record)).some(({ code }) => code === incompleteEnd?.code),
  };
}

/** The warnings about the rows of the accepted body; none if it is damaged or gone. */
async function readWarnings(deps: ActivityDeps, record: TrackedRecord): Promise<readonly { code: string }[]> {
  try {
    const reading = { keyFields: record.headKeyFields, isAccepted: true };
    const { reader } = await openStoredBody(deps, record, acceptedBody(record), reading);
    for await (const _rows of reader.batches()) {
      // Only the warnings are needed.
    }
    return reader.summary().warnings;
  } catch (error) {
    if (error instanceof CheckError) return [];
    throw error;
  }
}
