// Puts a record's rule back when the stored body cannot be read by the new one.
import { isTableInForce, isKeyInForce, tableInForce } from '../../core/generation.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import type { TrackedRecord } from './records.ts';

/**
 * Restores the previous rule when the stored body cannot be read by the new one, unless the owner changed it meanwhile. A
 * setting that is in force stays.
 */
export async function restoreRule(
  db: Database,
  record: Pick<
    TrackedRecord,
    | 'id'
    | 'keyFields'
    | 'ignoreFields'
    | 'rules'
    | 'headerRow'
    | 'quoting'
    | 'startsOverGeneration'
    | 'keySource'
    | 'headKeyFields'
    | 'headIgnoreFields'
    | 'headRules'
    | 'headHeaderRow'
    | 'headQuoting'
    | 'settingsVersion'
    | 'putAsideVersion'
    | 'format'
    | 'dialect'
  >,
): Promise<void> {
  const { id, keyFields, ignoreFields, rules, headerRow, quoting, startsOverGeneration } = record;
  const table = isTableInForce(record) ? { headerRow, quoting } : tableInForce(record);
  const keyBefore = record.keySource === 'given' ? record.headKeyFields : null;
  await rawRows(
    db,
    `update records set key_fields = :before::text[], ignore_fields = :ignoredBefore::text[],
       rules = :rulesBefore::jsonb, header_row = :headerBefore::integer, quoting = :quotingBefore,
       updated_at = now()
     where id = :id and key_fields is not distinct from :keyFields::text[] and ignore_fields = :ignoreFields::text[]
       and rules = :rules::jsonb and header_row is not distinct from :headerRow::integer and quoting = :quoting
       and starts_over_generation is not distinct from :startsOverGeneration::integer`,
    {
      id,
      keyFields,
      ignoreFields,
      rules: JSON.stringify(rules),
      headerRow,
      quoting,
      startsOverGeneration,
      before: isKeyInForce(record) ? keyFields : keyBefore,
      ignoredBefore: record.headIgnoreFields,
      rulesBefore: JSON.stringify(record.headRules),
      headerBefore: table.headerRow,
      quotingBefore: table.quoting,
    },
  );
}
