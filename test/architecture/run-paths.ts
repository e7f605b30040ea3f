import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A way through the service, from the file that takes something in to what is done with it. */
export interface RunPath {
  readonly name: string;
  readonly entries: readonly string[];
  /** Feature modules whose files count; those of the others are looked up, not passed through. */
  readonly modules: readonly string[];
  /** Files and folders of another answer or of an outage, which the usual request does not run through. */
  readonly branches: readonly string[];
  /** Files that the path has. */
  readonly limit: number;
  /** Files that it is to have. */
  readonly goal: number;
}

/** Files that describe and do not act: wiring, shapes of rows and bodies, errors, texts. */
const DECLARATIONS = /\.(module|dto|entity|entities|errors)\.ts$|\/texts\//;

/**
 * The files of a path: its entries, and all that they import at run time, directly or not, inside the path's modules.
 * A class that Nest injects is imported at run time too, as its decorated constructor names it.
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

/** Files of `src` that a file imports when it runs: no `import type`, no `{ type X }`, no name used as a type alone. */
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
