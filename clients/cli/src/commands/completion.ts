import { Argument, type Command } from 'commander';
import { completionScript, type Shell, SHELLS } from '../completion';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options')
    .addArgument(new Argument('<shell>', 'Shell that runs the script').choices(SHELLS))
    .addHelpText(
      'after',
      '\nIn ~/.bashrc:  eval "$(waypost completion bash)"\nIn ~/.zshrc:   eval "$(waypost completion zsh)"',
    )
    .action((shell: Shell) => {
      process.stdout.write(completionScript(program, shell));
    });
}
