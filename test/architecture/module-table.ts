/** The module table of docs/architecture.md. */
export interface ModuleTable {
  readonly modules: ReadonlySet<string>;
  mayImport(from: string, to: string): boolean;
}

interface Row {
  floor: number;
  modules: string[];
  mayImport: string[];
}

const HEADER = /^\| *floor *\| *modules *\| *may import *\|$/;

/**
 * Reads the table. The third column takes module names, `floor 1`, `floors 4 to 1`, `floors 2 and 1`,
 * `everything` and `nothing`; text in parentheses is for readers.
 * @throws on a row that it can't read, so that a typo never widens or empties the table
 */
export function parseModuleTable(markdown: string): ModuleTable {
  const rows = tableRows(markdown).map(parseRow);
  const floors = new Map(rows.flatMap((row) => row.modules.map((name) => [name, row.floor] as const)));
  const allowed = new Map<string, Set<string>>();
  for (const row of rows) {
    const targets = new Set(row.mayImport.flatMap((entry) => resolveEntry(entry, floors)));
    for (const name of row.modules) {
      if (allowed.has(name)) throw new Error(`${name} is in two rows of the module table`);
      allowed.set(name, targets);
    }
  }
  return {
    modules: new Set(floors.keys()),
    mayImport: (from, to) => from === to || (allowed.get(from)?.has(to) ?? false),
  };
}

function tableRows(markdown: string): string[] {
  const lines = markdown.split('\n').map((line) => line.trim());
  const header = lines.findIndex((line) => HEADER.test(line.replaceAll(/ +/g, ' ')));
  if (header < 0) throw new Error('No module table: a table with the columns floor, modules, may import');
  const body = lines.slice(header + 2);
  const end = body.findIndex((line) => !line.startsWith('|'));
  return end < 0 ? body : body.slice(0, end);
}

function parseRow(line: string): Row {
  const cells = line
    .replaceAll(/\([^)]*\)/g, '')
    .split('|')
    .map((cell) => cell.trim());
  const [, floor, modules, mayImport] = cells;
  if (!floor || !/^\d+$/.test(floor) || !modules || !mayImport || cells.length !== 5) {
    throw new Error(`Not a row of the module table: ${line}`);
  }
  return { floor: Number(floor), modules: names(modules), mayImport: names(mayImport) };
}

function names(cell: string): string[] {
  return cell.split(',').map((name) => name.trim());
}

function resolveEntry(entry: string, floors: Map<string, number>): string[] {
  if (entry === 'everything') return [...floors.keys()];
  if (entry === 'nothing') return [];
  if (floors.has(entry)) return [entry];
  const range = /^floors? (\d+)(?: (?:to|and) (\d+))?$/.exec(entry);
  if (!range) throw new Error(`The module table names ${entry}, which is not one of its modules`);
  const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
  return [...floors].filter(([, floor]) => floor <= from && floor >= to).map(([name]) => name);
}
