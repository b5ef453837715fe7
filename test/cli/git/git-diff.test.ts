// `recordwatch git-diff` in the hands of the real git.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAMS } from '../../support/servers/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-git-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COMMAND = `"${process.execPath}" "${PROGRAMS.cli.path}" git-diff`;

const git = (...args: string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Test',
      GIT_AUTHOR_EMAIL: 'test@example.com',
      GIT_COMMITTER_NAME: 'Test',
      GIT_COMMITTER_EMAIL: 'test@example.com',
    },
  });
const write = (name: string, body: string): void => writeFileSync(join(folder, name), body);

const OLD = 'id,name,price\nA1,Jam,3.20\nB2,Tea,4.00\nC3,Rye,2.50\n';
/** The same rows in another order, and one change: by lines, everything would differ. */
const NEW = 'id,name,price\nC3,Rye,2.50\nA1,Jam,3.50\nB2,Tea,4.00\n';

beforeAll(() => {
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'diff.csv.command', COMMAND);
  git('config', 'diff.csv.textconv', `${COMMAND} --textconv`);
  write('.gitattributes', '*.csv diff=csv\n');
  write('prices.csv', OLD);
  write('gone.csv', OLD);
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
});

it('git diff shows rows', () => {
  write('prices.csv', NEW);
  expect(git('diff')).toBe(
    [
      'diff --recordwatch a/prices.csv b/prices.csv',
      '# 0 new, 1 changed, 0 deleted, 2 unchanged',
      '--- a/prices.csv',
      '+++ b/prices.csv',
      '@@ changed "A1" @@',
      '-price: "3.20"',
      '+price: "3.50"',
      '',
    ].join('\n'),
  );
});

it('git diff says what its rows do not show', () => {
  git('config', 'diff.csv.command', `${COMMAND} --key id --header-row 2`);
  const body = (title: string, first: string): string => `# ${title}\nid,price\n${first}\n1,11\n2,5\n`;
  write('titled.csv', body('prices of 2025', '1,10'));
  git('add', 'titled.csv');
  write('titled.csv', body('prices of 2026', '1,99'));
  expect(git('diff', 'titled.csv').split('\n').slice(1)).toEqual([
    '# 0 new, 0 changed, 0 deleted, 2 unchanged',
    '# No row differs. Order, quotes and lines above the header are not compared.',
    expect.stringMatching(/^# Warning about a\/titled\.csv: lines_above_header, 1/),
    expect.stringMatching(/^# Warning about a\/titled\.csv: duplicate_key, 1/),
    expect.stringMatching(/^# Warning about b\/titled\.csv: lines_above_header, 1/),
    expect.stringMatching(/^# Warning about b\/titled\.csv: duplicate_key, 1/),
    '',
  ]);
  git('config', 'diff.csv.textconv', `${COMMAND} --textconv --key id --header-row 2`);
  expect(git('diff', '--no-ext-diff', 'titled.csv')).toMatch(/-  price: "10"\n\+  price: "99"\n/);
  git('config', 'diff.csv.command', COMMAND);
  git('config', 'diff.csv.textconv', `${COMMAND} --textconv`);
  git('reset', '--quiet', '--hard');
});

it('git diff continues with other files, new, deleted and renamed ones', () => {
  write('prices.csv', NEW);
  write('new.csv', OLD);
  rmSync(join(folder, 'gone.csv'));
  git('add', '--all');
  const text = git('diff', '--cached', '--no-renames');
  expect(text).toContain('diff --recordwatch a/new.csv b/new.csv\n');
  expect(text).toContain('+A1,Jam,3.20\n');
  expect(text).toContain('diff --recordwatch a/gone.csv b/gone.csv\n');
  expect(text).toContain('-A1,Jam,3.20\n');
  expect(text).toContain('+price: "3.50"\n');
  const renamed = git('diff', '--cached', '--find-renames');
  expect(renamed).toContain(
    'diff --recordwatch a/gone.csv b/new.csv\n# 0 new, 0 changed, 0 deleted, 3 unchanged\n',
  );
  git('reset', '--quiet', '--hard');
});

it('git diff compares by lines what is no table', () => {
  write('prices.csv', `<<<<<<< ours\n${OLD}=======\n${NEW}>>>>>>> theirs\n"open`);
  const text = git('diff');
  expect(text).toMatch(/# b\/prices\.csv: .*Compared by lines\.\n/);
  expect(text).toContain('+<<<<<<< ours\n');
  git('reset', '--quiet', '--hard');
});

it('git show and git log -p show the changed values only', () => {
  write('prices.csv', NEW);
  git('commit', '--quiet', '--all', '--message', 'second');
  const changes = git('show', '--format=').split('\n').filter((line) => /^[+-] /.test(line)); // prettier-ignore
  expect(changes).toEqual(['-  price: "3.20"', '+  price: "3.50"']);
  expect(git('log', '-p', '--format=')).toContain('+  price: "3.50"\n');
});

it('git diff pairs edited rows without a key', () => {
  git('config', 'diff.csv.command', `${COMMAND} --key "" --pair`);
  write('prices.csv', NEW.replace('2.50', '2.75'));
  const text = git('diff');
  expect(text).toContain('# 0 new, 1 changed, 0 deleted, 2 unchanged\n');
  expect(text).toContain('# 1 row pairs with a similar one.\n');
  expect(text).toContain('-price: "2.50"\n+price: "2.75"\n');
  git('reset', '--quiet', '--hard');
});

it('the setting may have options', () => {
  git('config', 'diff.csv.command', `${COMMAND} --ignore price --ignore pric`);
  appendFileSync(join(folder, 'prices.csv'), 'D4,Oil,9.00\n');
  const text = git('diff');
  expect(text).toContain('# 1 new, 0 changed, 0 deleted, 3 unchanged\n');
  expect(text.match(/^# --ignore .*$/gm)).toEqual(['# --ignore pric: neither version has such a field.']);
});

it('regression: git diff says which paths are unmerged, and continues with other files', () => {
  git('reset', '--quiet', '--hard');
  git('config', 'diff.csv.command', COMMAND);
  git('checkout', '--quiet', '-b', 'theirs');
  write('prices.csv', OLD.replace('3.20', '3.30'));
  git('commit', '--quiet', '--all', '--message', 'theirs');
  git('checkout', '--quiet', 'main');
  write('prices.csv', OLD.replace('3.20', '3.40'));
  git('commit', '--quiet', '--all', '--message', 'ours');
  expect(() => git('merge', '--quiet', 'theirs')).toThrow('Command failed: git merge');
  write('zebras.csv', OLD);
  git('add', 'zebras.csv');
  expect(git('diff', '--cached')).toMatch(
    /^\* Unmerged path prices\.csv\ndiff --recordwatch a\/zebras\.csv b\/zebras\.csv\n/,
  );
  for (const side of ['--ours', '--base']) {
    expect(git('diff', side)).toMatch(/^\* Unmerged path prices\.csv\ndiff --recordwatch a\/prices\.csv /);
  }
  git('reset', '--quiet', '--hard');
});

it('regression: git diff shows a path that looks like an option', () => {
  git('config', 'diff.csv.command', `${COMMAND} --ignore name`);
  const names = ['-V.csv', '--key=id.csv'];
  for (const name of names) write(name, OLD);
  git('add', '.');
  git('commit', '--quiet', '--message', 'dashes');
  for (const name of names) write(name, NEW);
  const text = git('diff');
  for (const name of names) {
    expect(text).toContain(
      `diff --recordwatch a/${name} b/${name}\n# 0 new, 1 changed, 0 deleted, 2 unchanged\n`,
    );
  }
  expect(git('diff', '--no-ext-diff')).toContain('+  price: "3.50"\n');
  for (const name of names) git('mv', '--', name, `./-${name}`);
  git('add', '.');
  expect(git('diff', '--cached', '--find-renames=1%')).toContain('diff --recordwatch a/-V.csv b/--V.csv\n');
  git('reset', '--quiet', '--hard');
});

it('one argument is an unmerged path only if git gives it', () => {
  expect(() =>
    execFileSync(process.execPath, [PROGRAMS.cli.path, 'git-diff', 'prices.csv'], { stdio: 'pipe' }),
  ).toThrow('git gives seven arguments');
});
