// State files on a full disk: the old content stays.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeWhole } from '../../../cli/process/write-whole.ts';
import { startDemoOrigin } from '../../../demo/origin.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A file whose next version finds no space, because its temporary name leads to a full device. */
function fileOnFullDisk(): { folder: string; path: string } {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'state.json');
  writeFileSync(path, '{"step":3,"since":1}');
  symlinkSync('/dev/full', `${path}.${process.pid}.part`);
  return { folder, path };
}

it('regression: keeps the old file when there is no space, and leaves nothing else behind', () => {
  const { folder, path } = fileOnFullDisk();
  expect(() => writeWhole(path, 'x')).toThrow(/ENOSPC/);
  expect(readFileSync(path, 'utf8')).toBe('{"step":3,"since":1}');
  expect(readdirSync(folder)).toEqual(['state.json']);
  writeWhole(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
});

it('creates a file if there is none, and refuses if there is one', () => {
  const { path } = fileOnFullDisk();
  const other = `${path}.other`;
  writeWhole(other, 'made', { isNew: true });
  expect(readFileSync(other, 'utf8')).toBe('made');
  expect(() => writeWhole(other, 'again', { isNew: true })).toThrow(/EEXIST/);
  expect(readFileSync(other, 'utf8')).toBe('made');
});

it('regression: the demonstration continues when its position cannot be saved', async () => {
  const { path } = fileOnFullDisk();
  const origin = await startDemoOrigin({ port: 0, positionFile: path });
  const before = origin.version();
  origin.advance();
  expect(origin.version()).not.toBe(before);
  expect(readFileSync(path, 'utf8')).toBe('{"step":3,"since":1}');
  await origin.close();
});
