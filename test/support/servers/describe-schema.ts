// Describes a database's schema as text, from PostgreSQL's catalog. db/schema.txt holds it for the current version;
// `npx vitest run test/db/migrate.pg.test.ts --update` updates that file.
import { type Database, rawRows } from '../../../db/driver/knex.ts';

interface Line {
  table: string;
  text: string;
}

/** Excludes knex's own tables, which change with knex. */
const OURS = `namespace.nspname = 'public' and class.relname not like 'knex\\_%'`;
const FROM = `from pg_class class join pg_namespace namespace on namespace.oid = class.relnamespace`;

const COLUMNS = `
  select class.relname as table, format('%s %s%s%s%s%s', attname, format_type(atttypid, atttypmod),
    case when attcollation not in (0, 100) then ' collate ' || quote_ident(collname) else '' end,
    case when attnotnull then ' not null' else '' end,
    case when attidentity <> '' then ' identity' else '' end,
    coalesce(' default ' || pg_get_expr(adbin, adrelid), '')) as text
  ${FROM}
  join pg_attribute attribute on attrelid = class.oid and attnum > 0 and not attisdropped
  left join pg_collation on pg_collation.oid = attcollation
  left join pg_attrdef on adrelid = class.oid and adnum = attnum
  where class.relkind = 'r' and ${OURS}
  order by 1, attnum`;

/** Not-null constraints are listed with their columns. */
const CONSTRAINTS = `
  select class.relname as table, format('constraint %s %s', conname, pg_get_constraintdef(con.oid)) as text
  ${FROM} join pg_constraint con on conrelid = class.oid
  where contype <> 'n' and ${OURS}
  order by 1, conname collate "C"`;

/** Indexes of constraints are listed with them. */
const INDEXES = `
  select class.relname as table, pg_get_indexdef(indexrelid) as text
  ${FROM} join pg_index on indrelid = class.oid
  where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u')) and ${OURS}
  order by 1, 2`;

const TRIGGERS = `
  select class.relname as table, pg_get_triggerdef(trigger.oid) as text
  ${FROM} join pg_trigger trigger on tgrelid = class.oid
  where not tgisinternal and ${OURS}
  order by 1, 2`;

/** One paragraph for each table, sorted by name: columns in their own order, constraints, indexes, triggers. */
export async function describeSchema(db: Database): Promise<string> {
  const paragraphs = new Map<string, string[]>();
  for (const query of [COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS]) {
    for (const { table, text } of await rawRows<Line>(db, query)) {
      paragraphs.set(table, [...(paragraphs.get(table) ?? [table]), `  ${text}`]);
    }
  }
  return [...paragraphs.values()].map((lines) => `${lines.join('\n')}\n`).join('\n');
}
