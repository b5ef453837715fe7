// Which system the operator's commands find.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { operatorSettings } from '../../../cli/operator/settings.ts';

const DATABASE_URL = 'postgres://recordwatch@127.0.0.1:5432/recordwatch';
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recordwatch-settings-'));
});

afterEach(() => rmSync(home, { recursive: true }));

it('regression: knows the user of the processes of a run, and of no others', () => {
  const dev = {
    baseUrl: 'http://127.0.0.1:8080',
    databaseUrl: DATABASE_URL,
    temporalAddress: '127.0.0.1:7233',
    temporalNamespace: 'default',
    blobStore: '',
    pids: { runner: process.pid },
  };
  writeFileSync(join(home, 'dev.json'), JSON.stringify(dev));
  const ofRun = operatorSettings({ RECORDWATCH_HOME: home });
  expect(ofRun).toMatchObject({ databaseUrl: DATABASE_URL, runUser: process.geteuid?.() });
  expect(operatorSettings({ RECORDWATCH_HOME: home, DATABASE_URL }).runUser).toBeUndefined();
});
