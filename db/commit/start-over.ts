// Handles a start-over request that arrives during a commit. The commit completes the request only if its body was read
// under the settings that are in force by then. Otherwise the request waits for the next body.
import { urlHash } from '../../core/crypto/url-hash.ts';
import type { Quoting } from '../../core/delta/model.ts';
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import { isRekeyDue } from '../../core/generation.ts';
import type { DeltaCommit, LockedHead, ReadBody } from './commit-facts.ts';
import { type Knex, rawRows } from '../driver/knex.ts';

interface Beginning {
  commit: Pick<DeltaCommit, 'check' | 'validators' | 'rule'>;
  body: ReadBody;
  /** As it was before the commit. */
  head: LockedHead;
  /** Of the rows that were stored. */
  generation: number;
  /** Whether the body is fresh from the origin. */
  isNewBody: boolean;
}

interface Asked {
  url: string;
  authVersion: number;
  keyFields: string[] | null;
  ignoreFields: string[];
  rules: ColumnRules;
  headerRow: number | null;
  quoting: Quoting;
  dialectVersion: number;
  startsOverGeneration: number | null;
}

/**
 * Must be the last statement of a transaction, because it locks the record's settings until the end. A request before that
 * is seen here; a later one sees the committed state (db/records/lock-record.ts).
 */
export async function keepStartOver(trx: Knex.Transaction, beginning: Beginning): Promise<void> {
  const { commit, head, generation } = beginning;
  const { recordId } = commit.check;
  const [asked] = await rawRows<Asked>(
    trx,
    `select url, auth_version as "authVersion", key_fields as "keyFields", ignore_fields as "ignoreFields", rules,
       header_row as "headerRow", quoting, dialect_version as "dialectVersion", starts_over_generation as "startsOverGeneration"
     from records where id = ? for no key update`,
    [recordId],
  );
  if (asked?.startsOverGeneration !== head.generation) return;
  await trx('records')
    .where({ id: recordId })
    .update({ startsOverGeneration: isFulfilled(asked, beginning) ? null : generation });
}

/** Whether the body was requested after the user asked, from the URL and under the settings that were asked for. */
function isFulfilled(asked: Asked, { commit, body, generation, isNewBody }: Beginning): boolean {
  const { check, validators, rule } = commit;
  if (!isNewBody || check.precedesStartOver === true) return false;
  if (urlHash(asked.url, asked.authVersion) !== validators.urlHash) return false;
  const stored = {
    snapshotId: '',
    generation,
    headKeyFields: body.key.fields,
    keySource: body.key.source,
    headIgnoreFields: rule.ignoreFields,
    headRules: rule.rules,
    headHeaderRow: rule.headerRow,
    headQuoting: rule.quoting,
    settingsVersion: asked.dialectVersion,
    putAsideVersion: null,
    format: null,
    dialect: body.dialect,
  };
  const isOtherRule = isRekeyDue({ ...asked, ...stored, startsOverGeneration: null });
  return !isOtherRule && asked.dialectVersion === rule.dialectVersion;
}
