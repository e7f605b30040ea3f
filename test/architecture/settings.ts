import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Every environment variable in src/config, with its default if that is constant. */
export function readSettings(root: string): Map<string, string | null> {
  const file = join(root, 'src/config/config.ts');
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const settings = new Map<string, string | null>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && /^[A-Z][A-Z0-9_]+$/.test(node.name.getText(source))) {
      settings.set(node.name.getText(source), fixedDefault(node.initializer.getText(source)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return settings;
}

function fixedDefault(schema: string): string | null {
  if (schema === 'flag') return 'false';
  const [, text] = /\.default\('([^']*)'\)/.exec(schema) ?? [];
  const [, number] = /^count\(\w+, \w+, ([\d_]+)\)/.exec(schema) ?? [];
  return text ?? number?.replaceAll('_', '') ?? null;
}
