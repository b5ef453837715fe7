// Shell completion: what is proposed for a command line, and the script as bash runs it.
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { candidatesFor } from '../../../cli/completion/candidates.ts';
import { createUserProgram } from '../../../cli/user-program.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { runProgram } from '../../support/servers/run-program.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

const records = (argument: string) =>
  Promise.resolve(argument === 'record' ? [{ word: 'prices', description: 'Shop prices' }] : []);

const wordsFor = async (...typed: string[]): Promise<string[]> =>
  (await candidatesFor(createUserProgram(), typed, records)).map(({ word }) => word);

describe('candidates', () => {
  it('are commands, and those of a group', async () => {
    expect(await wordsFor('re')).toEqual(['records']);
    expect(await wordsFor('records', '')).toEqual(expect.arrayContaining(['list', 'create', 'pause']));
    expect(await wordsFor('')).not.toContain('__complete');
  });

  it('are options, also those of the command that a group means by itself', async () => {
    expect(await wordsFor('records', '--st')).toEqual(['--status']);
    expect(await wordsFor('tail', '--')).toEqual(expect.arrayContaining(['--since', '--json', '--help']));
  });

  it.each([
    [['records', '--status', '']],
    [['records', '--status', '=', '']],
    [['records', '--status', '=']],
  ])('are the values of an option: %j', async (typed) => {
    expect(await wordsFor(...typed)).toEqual(['active', 'paused']);
  });

  it('have the option before the value where the shell has one word', async () => {
    expect(await wordsFor('records', '--status=pa')).toEqual(['--status=paused']);
  });

  it('are values of an argument, and records', async () => {
    expect(await wordsFor('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await wordsFor('show', '--json', 'pr')).toEqual(['prices']);
    expect(await wordsFor('records', 'pause', '')).toEqual(['prices']);
  });

  it('are none where a file may follow', async () => {
    expect(await wordsFor('diff', 'old')).toEqual([]);
    expect(await wordsFor('export', 'prices', '--output', '')).toEqual([]);
  });
});

it('bash completes with the script', async () => {
  const folder = temporaryFolder();
  const program = join(folder, 'recordwatch');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAMS.cli.path}" "$@"\n`);
  chmodSync(program, 0o755);
  const typed = `source <(recordwatch completion bash)
COMP_WORDS=(recordwatch records list --so); COMP_CWORD=3; _recordwatch; echo "\${COMPREPLY[@]}"
COMP_WORDS=(recordwatch records list --sort = h); COMP_CWORD=5; _recordwatch; echo "\${COMPREPLY[@]}"
complete -p recordwatch`;
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: folder };
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', typed], { env });
  expect(stderr).toBe('');
  expect(stdout).toBe('--sort\nhealth\ncomplete -o default -F _recordwatch recordwatch\n');
});

it('there is a script for zsh and fish, and for no other shell', async () => {
  for (const shell of ['zsh', 'fish']) {
    expect(await runProgram(['completion', shell])).toMatchObject({ code: 0, stdout: expect.stringContaining('recordwatch __complete --') }); // prettier-ignore
  }
  expect((await runProgram(['completion', 'tcsh'])).code).toBe(2);
});
