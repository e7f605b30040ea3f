import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command with all that may follow it. */
interface Node {
  path: string;
  commands: Command[];
  options: Option[];
  /** The values of its argument, if they are known. */
  values: readonly string[];
}

/** A script that completes commands, options and their values, made from the commands themselves. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, program.name());
  return shell === 'bash' ? bash(program.name(), nodes) : zsh(program.name(), nodes);
}

function nodesOf(command: Command, path: string): Node[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const options = help.visibleOptions(command);
  const values = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  return [
    { path, commands, options, values },
    ...commands.flatMap((child) => nodesOf(child, `${path} ${child.name()}`)),
  ];
}

const flagsOf = ({ short, long }: Option) => [short, long].filter((flag) => flag !== undefined);

/** The cases by which a word is found to be a command, and an option to take a value. */
function walk(nodes: readonly Node[]): { commands: string; taking: string } {
  const commands = nodes.slice(1).map(({ path }) => `'${path}'`);
  const taking = nodes.flatMap(({ path, options }) =>
    options
      .filter(({ required }) => required)
      .flatMap((option) => flagsOf(option).map((f) => `'${path} ${f}'`)),
  );
  return { commands: commands.join('|'), taking: taking.join('|') };
}

function bash(name: string, nodes: readonly Node[]): string {
  const { commands, taking } = walk(nodes);
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      option.argChoices
        ? [
            `    ${flagsOf(option)
              .map((f) => `'${path} ${f}'`)
              .join('|')}) words='${option.argChoices.join(' ')}' ;;`,
          ]
        : [],
    ),
  );
  const words = nodes.map(({ path, commands: children, options, values: known }) => {
    const flags = options.map(({ long, short }) => long ?? short);
    const all = [...children.map((child) => child.name()), ...known, ...flags];
    return `    '${path}') words='${all.join(' ')}' ;;`;
  });
  return `# bash completion for ${name}: eval "$(${name} completion bash)"
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='${name}' pending='' words='' i word
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ -n $pending ]]; then pending=''; continue; fi
    case "$path $word" in
      ${commands}) path="$path $word" ;;
      ${taking}) pending="$path $word" ;;
    esac
  done
  case "\${pending:-$path}" in
${[...values, ...words].join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

function zsh(name: string, nodes: readonly Node[]): string {
  const { commands, taking } = walk(nodes);
  const described = (word: string, text: string) => quote(`${word.replaceAll(':', '\\:')}:${text}`);
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      option.argChoices
        ? [
            `    ${flagsOf(option)
              .map((f) => `'${path} ${f}'`)
              .join('|')}) entries=(${option.argChoices.map(quote).join(' ')}) ;;`,
          ]
        : [],
    ),
  );
  const words = nodes.map(({ path, commands: children, options, values: known }) => {
    const entries = [
      ...children.map((child) => described(child.name(), child.description())),
      ...known.map(quote),
    ];
    const flags = options.map((option) => described(option.long ?? option.short ?? '', option.description));
    return `    '${path}')\n      entries=(${entries.join(' ')})\n      flags=(${flags.join(' ')})\n      ;;`;
  });
  return `#compdef ${name}
# zsh completion for ${name}: eval "$(${name} completion zsh)"
_${name}() {
  local path_='${name}' pending='' word
  local -a entries flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $pending ]]; then pending=''; continue; fi
    case "$path_ $word" in
      ${commands}) path_="$path_ $word" ;;
      ${taking}) pending="$path_ $word" ;;
    esac
  done
  case "\${pending:-$path_}" in
${[...values, ...words].join('\n')}
  esac
  if (( \${#entries} )); then _describe '${name}' entries
  elif [[ $PREFIX != -* ]]; then _files; fi
  if (( \${#flags} )); then _describe -o 'option' flags; fi
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
