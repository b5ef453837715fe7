// The demonstration's origin: every version over HTTP, validators, and a position that survives a restart.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startDemoOrigin, type DemoOrigin } from '../../demo/origin.ts';
import { demoVersions } from '../../demo/versions.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'origin-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function origin(positionFile?: string): Promise<DemoOrigin> {
  const started = await startDemoOrigin({ port: 0, ...(positionFile === undefined ? {} : { positionFile }) });
  onTestFinished(started.close);
  return started;
}

test('serves all versions forward, then backward, always a neighbour of the last one', async () => {
  const versions = demoVersions();
  const { url, advance } = await origin();
  const served: string[] = [];
  for (let step = 0; step < 2 * versions.length; step += 1) {
    served.push(await (await fetch(url)).text());
    advance();
  }
  const up = versions.map(({ csv }) => csv);
  const walk = [...up, ...up.slice(1, -1).toReversed(), ...up.slice(0, 2)];
  expect(served.length).toBe(walk.length);
  expect(served.every((csv, step) => csv === walk[step])).toBe(true);
});

test('answers 304 to the validators of what it serves, and 200 after it moved', async () => {
  const { url, advance } = await origin();
  const first = await fetch(url);
  expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const etag = first.headers.get('etag') ?? '';
  const modified = first.headers.get('last-modified') ?? '';
  const body = await first.text();
  expect(Number(first.headers.get('content-length'))).toBe(Buffer.byteLength(body));
  const ask = (headers: Record<string, string>) => fetch(url, { headers, cache: 'no-store' });
  expect((await ask({ 'if-none-match': etag })).status).toBe(304);
  expect((await ask({ 'if-none-match': `"other", W/${etag}` })).status).toBe(304);
  expect((await ask({ 'if-modified-since': modified })).status).toBe(304);
  expect((await ask({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200);
  expect((await ask({ 'if-none-match': '"other"', 'if-modified-since': modified })).status).toBe(200);
  advance();
  const second = await ask({ 'if-none-match': etag });
  expect(second.status).toBe(200);
  expect(second.headers.get('etag')).not.toBe(etag);
  expect(await second.text()).not.toBe(body);
});

test('continues at its position after a restart, and starts again when the position cannot be read', async () => {
  const file = join(folder, 'position.json');
  const first = await origin(file);
  first.advance();
  first.advance();
  expect((await origin(file)).version()).toBe('6.7.0');
  for (const broken of ['', '{}', '{"step":-1,"since":0}', '{"step":"x","since":0}']) {
    writeFileSync(file, broken);
    expect((await origin(file)).version()).toBe('6.5.0');
  }
});

test('serves nothing else', async () => {
  const { url } = await origin();
  expect((await fetch(new URL('/other', url))).status).toBe(404);
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});
