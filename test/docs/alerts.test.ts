// deploy/observability: each rule has its runbook, rules and dashboards use metrics that exist, and promtool, where it is
// installed, accepts the rules and finds them firing in time.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findProgram } from '../support/servers/prometheus.ts';

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook_url: string };
}

const ROOT = new URL('../../', import.meta.url);
const FOLDER = 'deploy/observability';
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const inFolder = (name: string): string => fileURLToPath(new URL(`${FOLDER}/${name}`, ROOT));

const { groups } = parse(read(`${FOLDER}/alerts.yml`)) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboards = globSync(`${FOLDER}/dashboards/*.json`, { cwd: ROOT });
const sections = read('docs/runbooks.md').split(/^## /m).slice(1);

describe('alert rules', () => {
  it('are at least twelve, each with a name of its own', () => {
    expect(rules.length).toBeGreaterThanOrEqual(12);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  it('have a runbook each, in the same order, and no runbook is without a rule', () => {
    expect(sections.map((section) => section.split('\n')[0])).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    }
    for (const section of sections)
      expect(section).toMatch(/\*\*Meaning\.\*\*[^]+\*\*Cause\.\*\*[^]+\*\*Fix\.\*\*/);
  });
});

describe('rules and dashboards', () => {
  const sources = globSync('{telemetry,activities}/**/*.ts', { cwd: ROOT }).map(read).join('\n');
  const own = new Set(
    [...sources.matchAll(/'(recordwatch\.[\w.]+)'/g)].map(([, name = '']) => name.replaceAll('.', '_')),
  );

  it('use metrics of ours that exist', () => {
    const texts = [...rules.map(({ expr }) => expr), ...dashboards.map(read)].join('\n');
    const used = [...texts.matchAll(/\brecordwatch_\w+/g)].map(([name]) =>
      name.replace(/_(total|bucket|count|sum)$/, ''),
    );
    expect(new Set(used).size).toBeGreaterThan(10);
    expect([...new Set(used)].filter((name) => !own.has(name))).toEqual([]);
  });

  it('dashboards have panels, each with a query of a chosen data source', () => {
    expect(dashboards.length).toBeGreaterThanOrEqual(2);
    for (const path of dashboards) {
      const { uid, panels } = JSON.parse(read(path)) as {
        uid: string;
        panels: { title: string; datasource: { uid: string }; targets: { expr: string }[] }[];
      };
      expect(uid).toMatch(/^recordwatch-/);
      expect(panels.length).toBeGreaterThanOrEqual(12);
      for (const { datasource, targets } of panels) {
        expect(datasource.uid).toBe('${datasource}');
        expect(targets.length).toBeGreaterThan(0);
      }
    }
  });
});

const promtool = findProgram('promtool');

describe.skipIf(promtool === undefined)('promtool', () => {
  const run = (...args: string[]): string => execFileSync(promtool ?? '', args, { encoding: 'utf8' });

  it('accepts the rules and the configuration', () => {
    expect(run('check', 'rules', inFolder('alerts.yml'))).toContain(`${rules.length} rules found`);
    expect(run('check', 'config', inFolder('prometheus.yml'))).toContain('is valid');
  });

  it('finds each rule firing after its time, and none after an hour of normal load', () => {
    expect(run('test', 'rules', inFolder('alerts.test.yml'))).toContain('SUCCESS');
    const tests = read(`${FOLDER}/alerts.test.yml`);
    for (const { alert } of rules) expect(tests).toContain(`name: ${alert} fires`);
  });
});
