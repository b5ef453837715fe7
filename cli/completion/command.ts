// The command `completion`, and the hidden one that shells ask.
import { Argument, type Command } from 'commander';
import { COMPLETE, SHELLS, type Shell, SCRIPTS } from './scripts.ts';

const HELP = `
bash, in ~/.bashrc:                     source <(recordwatch completion bash)
zsh, in ~/.zshrc, after compinit:       source <(recordwatch completion zsh)
fish, in ~/.config/fish/config.fish:    recordwatch completion fish | source`;

/** @param program whose commands are completed */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and records in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell]));

  program
    .command(COMPLETE, { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => (await import('./complete.ts')).complete(program, words));
}
