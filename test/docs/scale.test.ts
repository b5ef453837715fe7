// The capacity model: docs/scale.md has the figures of the code, and the command prints them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capacityOf, capacityRows, COEFFICIENTS, costRows, SHOWN } from '../../cli/capacity/model.ts';
import { parseConfig } from '../../core/config.ts';

const ROOT = new URL('../../', import.meta.url);
const rows = readFileSync(new URL('docs/scale.md', ROOT), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/scale.md', () => {
  it('shows what the model gives', () => {
    expect(rows).toEqual(expect.arrayContaining(capacityRows(SHOWN.map(capacityOf))));
  });

  it('shows what a check costs', () => {
    expect(rows).toEqual(expect.arrayContaining(costRows()));
  });
});

describe('the model', () => {
  it('counts the connections that a process holds by default', () => {
    const { databasePoolSize } = parseConfig({});
    expect(COEFFICIENTS.connections).toEqual({
      worker: databasePoolSize + 8 + 1,
      api: databasePoolSize + 8 + 4 + 3,
    });
  });

  it('takes more of everything for more records, shorter intervals and more changes', () => {
    const load = { records: 1_000_000, interval: 60, changeRate: 1 };
    const base = capacityOf(load);
    for (const more of [{ records: 10_000_000 }, { interval: 6 }, { changeRate: 50 }]) {
      const larger = capacityOf({ ...load, ...more });
      expect(larger.cores.all).toBeGreaterThan(base.cores.all);
      expect(larger.transitionsPerSecond).toBeGreaterThan(base.transitionsPerSecond);
      expect(larger.diskGb.productADay).toBeGreaterThan(base.diskGb.productADay);
      expect(larger.connections).toBeGreaterThanOrEqual(base.connections);
    }
  });
});

it('recordwatch capacity prints the model', () => {
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, ['cli/main.ts', 'capacity', ...args], {
      cwd: fileURLToPath(ROOT),
      encoding: 'utf8',
    });
  const load = ['--records', '1000000', '--interval', '60', '--change-rate', '2.5'];
  const expected = capacityOf({ records: 1_000_000, interval: 60, changeRate: 2.5 });
  expect(JSON.parse(run(...load, '--json'))).toEqual(expected);
  const words = run(...load);
  for (const row of [...capacityRows([expected]), ...costRows()]) {
    const cells = row.map((cell) => cell.replaceAll('.', '\\.'));
    expect(words).toMatch(new RegExp(`^${cells.join(' +')}$`, 'm'));
  }
});
