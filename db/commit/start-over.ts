// What becomes of a wish to begin anew that comes while a check is being committed: a commit that begins a table of rows
// meets it only as it is asked for by then; else it is asked of the next body.
import { urlHash } from '../../core/crypto/url-hash.ts';
import { isRekeyDue } from '../../core/generation.ts';
import type { DeltaCommit, LockedHead, ReadBody } from './commit-facts.ts';
import { type Knex, rawRows } from '../driver/knex.ts';

export interface Beginning {
  commit: Pick<DeltaCommit, 'check' | 'validators' | 'rule'>;
  body: ReadBody;
  /** From before. */
  head: LockedHead;
  /** Of the rows that were stored. */
  generation: number;
  /** Whether the body came from the origin for this. */
  isNewBody: boolean;
}

interface Asked {
  url: string;
  authVersion: number;
  keyFields: string[] | null;
  ignoreFields: string[];
  headerRow: number | null;
  dialectVersion: number;
  startsOverGeneration: number | null;
}

/**
 * To be called last in a transaction: it locks the record's settings until the end. Who asks earlier is heard here, who
 * asks later sees what was committed (db/records/records.ts, lockRecord).
 */
export async function keepStartOver(trx: Knex.Transaction, beginning: Beginning): Promise<void> {
  const { commit, head, generation } = beginning;
  const { recordId } = commit.check;
  const [asked] = await rawRows<Asked>(
    trx,
    `select url, auth_version as "authVersion", key_fields as "keyFields", ignore_fields as "ignoreFields",
       header_row as "headerRow", dialect_version as "dialectVersion", starts_over_generation as "startsOverGeneration"
     from records where id = ? for no key update`,
    [recordId],
  );
  if (asked?.startsOverGeneration !== head.generation) return;
  await trx('records')
    .where({ id: recordId })
    .update({ startsOverGeneration: isMet(asked, beginning) ? null : generation });
}

/** Whether the body is the one that was asked for, from where and as it is to be read. */
function isMet(asked: Asked, { commit, body, generation, isNewBody }: Beginning): boolean {
  const { validators, rule } = commit;
  if (!isNewBody || urlHash(asked.url, asked.authVersion) !== validators.urlHash) return false;
  const stored = {
    snapshotId: '',
    generation,
    headKeyFields: body.key.fields,
    keySource: body.key.source,
    headIgnoreFields: rule?.ignoreFields ?? [],
    headHeaderRow: rule?.headerRow ?? null,
    dialect: body.dialect,
  };
  const isOtherRule = isRekeyDue({ ...asked, ...stored, startsOverGeneration: null });
  return !isOtherRule && asked.dialectVersion === rule?.dialectVersion;
}
