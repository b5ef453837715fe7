// The demonstration's data are real, and every step between neighbours is a change.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { demoVersions } from '../../demo/versions.ts';

const rowsOf = (csv: string): string[][] => parse(csv, { skip_empty_lines: false });

test('each version is a CSV with the four columns, sorted by id, without repeated ids', () => {
  const versions = demoVersions();
  expect(versions.map(({ version }) => version)).toEqual([
    '6.5.0',
    '6.6.0',
    '6.7.0',
    '6.8.0',
    '6.9.0',
    '6.10.0',
    '6.11.0',
    '6.12.0',
  ]);
  for (const { csv } of versions) {
    const [header, ...rows] = rowsOf(csv);
    expect(header).toEqual(['id', 'name', 'url', 'osiApproved']);
    const ids = rows.map(([id]) => id ?? '');
    expect(ids.length).toBeGreaterThan(400);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort());
    expect(rows.every((row) => row.length === 4 && /^(true|false)$/.test(row[3] ?? ''))).toBe(true);
  }
});

test('a cell with a quote, a comma or a line break is written and read unchanged', () => {
  const names = demoVersions().flatMap(({ csv }) => rowsOf(csv).map(([, name]) => name));
  expect(names).toContain('Academic Free License v1.1');
  expect(names.filter((name) => name?.includes(',') || name?.includes('"')).length).toBeGreaterThan(0);
});

test('neighbouring versions differ', () => {
  const bodies = demoVersions().map(({ csv }) => csv);
  for (const [index, body] of bodies.entries()) expect(body).not.toBe(bodies[index + 1]);
});
