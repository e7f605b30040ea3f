import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A path through the service, from the entry of a request to its result. */
export interface RunPath {
  readonly name: string;
  readonly entries: readonly string[];
  /** Feature modules whose files are counted. */
  readonly modules: readonly string[];
  /** Files and folders for other responses or outages, which an ordinary request does not run. */
  readonly branches: readonly string[];
}

/** Declarative files: modules, DTOs, entities, errors, texts. */
const DECLARATIONS = /\.(module|dto|entity|entities|errors)\.ts$|\/texts\//;

/**
 * The files of a path: its entries, and everything that they import at run time, transitively, within its modules.
 * Injected classes are imported at run time too, because decorated constructors refer to them.
 */
export function filesOnPath(root: string, { entries, modules, branches }: RunPath): string[] {
  const files = new Set(entries);
  for (const file of files) {
    for (const next of runtimeImports(root, file)) {
      const counts = modules.some((module) => next.startsWith(`src/modules/${module}/`));
      const leaves = DECLARATIONS.test(next) || branches.some((branch) => next.startsWith(branch));
      if (counts && !leaves) files.add(next);
    }
  }
  return [...files].sort();
}

/** Run-time imports of a file within `src`: no `import type`, no `{ type X }`, no names used only as types. */
function runtimeImports(root: string, file: string): string[] {
  const { outputText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  return ts
    .preProcessFile(outputText, true, true)
    .importedFiles.map(({ fileName }) => join(dirname(file), fileName))
    .map((path) => (path.endsWith('.js') ? path.replace(/\.js$/, '.ts') : `${path}.ts`))
    .filter((path) => path.startsWith('src/') && existsSync(join(root, path)));
}
