// `npm run body-sizes -- <folder>…`: how many events of real histories fit whole into the body of a delivery, and what storing
// bodies would take. A folder has the published versions of one table, in the order of their names.
import { MAX_STORED_KEYS } from '../db/rows/delta-events.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import { type DeliveredEvent, deltaPayload } from '../core/delivery-payload.ts';
import { payloadWithRows } from '../core/delivery-rows.ts';
import { rowText, type RowTexts } from '../core/delta/row-texts.ts';
import { compare, type Delta, type RowVersion } from '../core/delta/compare.ts';
import { compareKeys } from '../core/delta/compare-keys.ts';
import { openRows } from '../core/delta/read-rows.ts';
import { ROW_LIMITS } from '../core/delta/model.ts';
import { table } from './table.ts';

const USUAL_BYTES = 256 * 1024;
const RECORD = {
  webhookId: `wh_${'0'.repeat(32)}`,
  recordId: `src_${'0'.repeat(32)}`,
  recordName: 'A record',
  recordSlug: 'a-record',
};

interface Version {
  keyFields: readonly string[];
  rows: RowVersion[];
}

/** @param keyFields of the version before; undefined: detects them */
async function readVersion(file: string, keyFields: readonly string[] | undefined): Promise<Version> {
  const bytes = readFileSync(file);
  const open = async function* () {
    yield bytes;
  };
  const limits = { ...ROW_LIMITS, maxRows: Infinity };
  const reader = await openRows(open, { keyFields, ignoreFields: [], limits });
  const rows: RowVersion[] = [];
  for await (const batch of reader.batches()) rows.push(...batch);
  return { keyFields: reader.key.fields, rows };
}

function rowsOf(delta: Delta): RowTexts[] {
  const rows = [
    ...delta.new.map(({ key, data }) => ({ key, changeType: 'new', before: null, after: data })),
    ...delta.changed.map(({ key, before, after }) => ({ key, changeType: 'changed', before, after })),
    ...delta.deleted.map(({ key, data }) => ({ key, changeType: 'deleted', before: data, after: null })),
  ];
  return rows.sort((left, right) => compareKeys(left.key, right.key));
}

function eventOf(delta: Delta): DeliveredEvent {
  const keys = (rows: readonly { key: string }[]) => rows.slice(0, MAX_STORED_KEYS).map(({ key }) => key);
  return {
    deltaEventId: `evt_${'0'.repeat(32)}`,
    snapshotId: `snap_${'0'.repeat(32)}`,
    detectedAt: new Date(),
    newCount: delta.new.length,
    changedCount: delta.changed.length,
    deletedCount: delta.deleted.length,
    unchangedCount: delta.unchanged,
    totalCount: delta.new.length + delta.changed.length + delta.unchanged,
    newKeys: keys(delta.new),
    changedKeys: keys(delta.changed),
    deletedKeys: keys(delta.deleted),
  };
}

interface Sizes {
  keysBytes: number;
  rowsBytes: number;
  isWhole: boolean;
}

function sizesOf(delta: Delta): Sizes {
  const event = eventOf(delta);
  const rows = rowsOf(delta).map((row) => ({ key: row.key, text: rowText(row) }));
  const url = `https://example.com/${'0'.repeat(120)}`;
  const found = { rows, goesOnAfter: null };
  const body = payloadWithRows(RECORD, event, { maxBodyBytes: USUAL_BYTES, fields: null }, found, () => url);
  return {
    keysBytes: Buffer.byteLength(deltaPayload(RECORD, event, 'https://example.com')),
    rowsBytes: Buffer.byteLength(body),
    isWhole: !body.includes('"rows":true},"rowsUrl"'),
  };
}

async function measure(folder: string): Promise<{ name: string; events: Sizes[] }> {
  const files = readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .toSorted();
  const events: Sizes[] = [];
  let before: Version | undefined;
  for (const file of files) {
    const after = await readVersion(join(folder, file), before?.keyFields);
    const delta = before && compare(before.rows, after.rows);
    before = after;
    if (delta !== undefined && delta.new.length + delta.changed.length + delta.deleted.length > 0)
      events.push(sizesOf(delta));
  }
  return { name: basename(folder), events };
}

const { args } = new Command('body-sizes').argument('<folders...>', 'of versions of one table each').parse();
const histories = await Promise.all(args.map(measure));
const mean = (sizes: readonly number[]): string =>
  Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toLocaleString('en');
const all = histories.flatMap(({ events }) => events);
const wholeShare = all.filter(({ isWhole }) => isWhole).length / all.length;
process.stdout.write(
  table([
    ['History', 'Events', 'Whole', 'Body with keys', 'Body with rows', 'Largest'],
    ...histories.map(({ name, events }) => [
      name,
      String(events.length),
      String(events.filter(({ isWhole }) => isWhole).length),
      `${mean(events.map(({ keysBytes }) => keysBytes))} B`,
      `${mean(events.map(({ rowsBytes }) => rowsBytes))} B`,
      `${Math.max(...events.map(({ rowsBytes }) => rowsBytes)).toLocaleString('en')} B`,
    ]),
  ]),
);
process.stdout.write(
  `\n\n${(wholeShare * 100).toFixed(1)} % need no further call (wanted: at least 95 %).\n`,
);
process.exitCode = wholeShare >= 0.95 ? 0 : 1;
