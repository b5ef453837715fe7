#!/usr/bin/env node
// The program of the package for users: the commands for users.
import { refuseNode } from './client-node.ts';
import { misuse } from './operator/fail.ts';
import { createUserProgram, runCommand } from './user-program.ts';

const refusal = refuseNode(process.versions.node);
if (refusal !== undefined) {
  console.error(refusal);
  process.exit(2);
}
const program = createUserProgram();
program
  .command('operator', { hidden: true })
  .argument('[command...]')
  .allowUnknownOption()
  .action(() => {
    throw misuse('This package has no operator commands. Run them in an installation of the server.');
  });
process.exitCode = await runCommand(program, process.argv.slice(2));
