// Writes the delta event of a check.
import type { DeliveredEvent } from '../../core/delivery-payload.ts';
import type { Knex } from '../driver/knex.ts';
import { preparedBuilt } from '../driver/prepared.ts';
import type { DeltaCounts } from '../rows/delta-rows.ts';
import { DELIVERED_EVENT } from '../webhooks/deliveries.ts';
import type { Recording } from './commit-facts.ts';
import { keysOfFew } from './compare-few.ts';
import { schemaChange } from './schema-change.ts';

/** The values of the check come from the head, which is already updated. */
export async function insertEvent(
  trx: Knex.Transaction,
  recording: Recording,
  isNoChange: boolean,
): Promise<DeliveredEvent> {
  const { commit, head, counts, totalCount, changedColumns: changedIn } = recording;
  const statement = trx.raw(
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, previous_snapshot_id, generation, sequence,
       detected_at, is_no_change, new_count, changed_count, deleted_count, unchanged_count, total_count,
       new_keys, changed_keys, deleted_keys, previous_keys, changed_columns, schema_change, rekeyed)
     select 'evt_' || replace(uuidv7()::text, '-', ''), record_id, event_number, :checkId, snapshot_id,
       :previousSnapshotId, generation, sequence, last_checked_at, :isNoChange, :new, :changed, :deleted, :unchanged,
       total_rows, ${keysOf('new', recording, isNoChange)}, ${keysOf('changed', recording, isNoChange)},
       ${keysOf('deleted', recording, isNoChange)}, ${previousKeysOf(recording, isNoChange)},
       :changedColumns, :schemaChange, :rekeyed
     from record_heads where record_id = :recordId
     returning ${DELIVERED_EVENT}`,
    {
      checkId: commit.check.id,
      recordId: commit.check.recordId,
      previousSnapshotId: head.snapshotId,
      isNoChange,
      ...counts,
      ...keysOfEvent(recording),
      previousKeys: previousKeysOfFew(recording),
      unchanged: totalCount - counts.new - counts.changed,
      changedColumns: changedIn === undefined ? null : JSON.stringify(changedIn),
      rekeyed: recording.opensGeneration === true,
      schemaChange: isNoChange ? null : JSON.stringify(await schemaChange(trx, recording)),
    },
  );
  const [row] = await preparedBuilt<DeliveredEvent>(trx, statement);
  if (row === undefined) throw new Error('The head of the record is missing');
  return row;
}

const EVENT_KEYS = 100;

const keysOf = (changeType: keyof DeltaCounts, { differences }: Recording, isNoChange: boolean): string => {
  if (isNoChange) return `'{}'::text[]`;
  if (differences !== undefined) return `:${changeType}Keys::text[]`;
  return `array(select row_key from differing where change_type = '${changeType}' order by row_key limit ${EVENT_KEYS})`;
};

const keysOfEvent = ({ differences = [] }: Recording) => ({
  newKeys: keysOfFew(differences, 'new', EVENT_KEYS),
  changedKeys: keysOfFew(differences, 'changed', EVENT_KEYS),
  deletedKeys: keysOfFew(differences, 'deleted', EVENT_KEYS),
});

/** SQL of the previous keys of the pairs among the changed keys; null without pairs. */
const previousKeysOf = ({ commit, differences }: Recording, isNoChange: boolean): string => {
  if (isNoChange || commit.pairing !== 'similarity') return 'null::json';
  if (differences !== undefined) return ':previousKeys::json';
  return `(select json_object_agg(row_key, previous_key order by row_key) from (
    select row_key, previous_key from differing where change_type = 'changed' order by row_key limit ${EVENT_KEYS}
  ) changed where previous_key is not null)`;
};

function previousKeysOfFew({ differences = [] }: Recording): string | null {
  const changed = differences.filter(({ changeType }) => changeType === 'changed').slice(0, EVENT_KEYS);
  const pairs = changed.flatMap(({ key, previousKey }) =>
    previousKey === undefined ? [] : [[key, previousKey] as const],
  );
  return pairs.length === 0 ? null : JSON.stringify(Object.fromEntries(pairs));
}
