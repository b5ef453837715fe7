// Runs every command of docs/guide.md in order against the real system and compares each answer with the one that is shown.
// Runs the commands of docs/mcp.md too.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoOrigin, startDemoOrigin } from '../../../demo/origin.ts';
import { stepsOf } from '../../support/api/document-steps.ts';
import { createKey } from '../../support/rows/factories.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { differencesIn, isLine } from '../../support/api/shown-answer.ts';
import { createRecord, startSystem, type System } from '../../support/servers/system.ts';

const guide = readFileSync(new URL('../../../docs/guide.md', import.meta.url), 'utf8');

const [variables, ...steps] = stepsOf(guide);
const END_OF_STEP = '---- end of step ----';

let system: System;
let list: DemoOrigin;
let clock: Origin;
let outputs: string[] = [];
let mcpPrelude = '';

/** Sets the variables that the guide reads from `npm start`. The origin's list changes when the guide waits for that. */
async function follow(baseUrl: string): Promise<string[]> {
  const { value: key } = await createKey(system.database.db, system.accountId, 'full');
  mcpPrelude = `BASE=${baseUrl}\nKEY=${key}\nLIST=${list.url}\n`;
  const prelude = `${mcpPrelude}sleep() { curl -s ${clock.url}/later; }\n`;
  const script = steps.map(({ commands }) => `${commands}\necho\necho '${END_OF_STEP}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', prelude + script]);
  expect(stderr).toBe('');
  return stdout.split(`${END_OF_STEP}\n`).map((text) => text.trim());
}

beforeAll(async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  system = await startSystem({ PORT: String(port), BASE_URL: baseUrl, RATE_LIMIT_FACTOR: '1' });
  list = await startDemoOrigin({ port: 0 });
  clock = await startOrigin();
  clock.set('/later', () => {
    list.advance();
    return {};
  });
  // Under `npm start` the demonstration's record unlocks keys.
  const { id } = await createRecord(system, { url: list.url });
  await system.database.db('records').where({ id }).update({ tier: 'max' });
  outputs = await follow(baseUrl);
});

afterAll(async () => {
  await clock.close();
  await list.close();
  await system.stop();
});

describe('docs/guide.md', () => {
  it('begins with variables that npm start provides', () => {
    expect(variables?.commands.match(/^[A-Z]+(?==)/gm)).toEqual(['BASE', 'KEY', 'LIST']);
  });

  it('runs to its end', () => {
    expect(outputs.slice(0, -1)).toHaveLength(steps.length);
    expect(steps.length).toBeGreaterThan(20);
  });

  it('gets no error that it does not show', () => {
    const refusals = steps.filter(
      ({ shown = '' }, index) =>
        outputs[index]?.includes('"requestId"') === true && !/"status": ?4/.test(shown),
    );
    expect(refusals).toEqual([]);
  });

  it.each(steps.map((step, index) => ({ ...step, index })).filter(({ language }) => language === 'json'))(
    'shows the answer of: $commands',
    ({ index, shown = '' }) => {
      expect(differencesIn(JSON.parse(outputs[index] ?? ''), JSON.parse(shown))).toEqual([]);
    },
  );

  it.each(steps.map((step, index) => ({ ...step, index })).filter(({ language }) => language === 'text'))(
    'shows the output of: $commands',
    ({ index, shown = '' }) => {
      const lines = (outputs[index] ?? '').split('\n').map((line) => line.trim());
      const pairs = shown
        .trimEnd()
        .split('\n')
        .map((line, at) => [lines[at], line]);
      expect(pairs.filter(([actual = '', line = '']) => !isLine(actual, line))).toEqual([]);
    },
  );
});

describe('docs/mcp.md', () => {
  const blocks = stepsOf(readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')).map(
    ({ commands }) => commands,
  );
  const run = async (commands: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('sh', ['-c', mcpPrelude + commands]);
    return stdout;
  };

  it('begins with the variables that its commands use, and names no other server', () => {
    expect(blocks[0]).toBe(variables?.commands);
    for (const commands of blocks.slice(1)) {
      expect(commands).toContain('"$BASE/v1/');
      expect(commands).not.toMatch(/localhost|<[A-Z_]+>/);
    }
  });

  it('opens a session whose address a client can use', async () => {
    const session = JSON.parse(await run(blocks.find((each) => each.startsWith('curl')) ?? ''));
    expect(session.source.totalRows).toBeGreaterThan(0);
    const inspect = blocks.find((each) => each.startsWith('npx @modelcontextprotocol/inspector')) ?? '';
    expect(
      await run(inspect.replace('$BASE/v1/mcp', session.mcpUrl).replace(/ --header "[^"]*"/, '')),
    ).toContain('query_snapshot');
  });

  it('lists the tools with a key', async () => {
    const inspect = blocks.find((each) => each.startsWith('npx @modelcontextprotocol/inspector')) ?? '';
    expect(await run(inspect)).toContain('create_source');
  });
});
