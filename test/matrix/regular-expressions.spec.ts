import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { check } from 'recheck';
import {
  createSourceFile,
  forEachChild,
  isNewExpression,
  isRegularExpressionLiteral,
  isStringLiteral,
  type Node,
  ScriptTarget,
} from 'typescript';

const ROOT = resolve(__dirname, '../..');
/** Built from parts that no outsider knows; each is anchored or a single character. */
const BUILT = [
  'src/common/validation/atoms.ts',
  'src/common/validation/visible-text.ts',
  'src/modules/click-statistics/live/feed-position.ts',
  'src/modules/domains/official-names.ts',
];

interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions of a file; `built` are those that are not written out. */
function expressionsIn(text: string): { written: Expression[]; built: number } {
  const written: Expression[] = [];
  let built = 0;
  const visit = (node: Node): void => {
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      written.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source && isStringLiteral(source) && (!flags || isStringLiteral(flags)))
        written.push({ source: source.text, flags: flags && isStringLiteral(flags) ? flags.text : '' });
      else built++;
    }
    forEachChild(node, visit);
  };
  visit(createSourceFile('file.tsx', text, ScriptTarget.Latest, true));
  return { written, built };
}

/** What is wrong with an expression; null if its time grows with the length of its input alone. */
async function problemOf({ source, flags }: Expression): Promise<string | null> {
  // Characters that are read decide, and no time, which other processes may take.
  const untimed = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
  const result = await check(source, flags, { ...untimed, maxIteration: 10 });
  return result.status === 'safe' ? null : `/${source}/${flags}: ${result.status}`;
}

describe('Regular expressions', () => {
  const files = ['src', 'console/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.(?:spec|d)\.ts$/.test(file)),
  );

  it('take no more than linear time, whatever they are given', async () => {
    const places = new Map<string, { expression: Expression; file: string }>();
    const built: string[] = [];
    for (const file of files) {
      const found = expressionsIn(readFileSync(join(ROOT, file), 'utf8'));
      for (const expression of found.written)
        places.set(`${expression.flags}/${expression.source}`, { expression, file });
      if (found.built > 0) built.push(file);
    }
    expect(places.size).toBeGreaterThan(200);
    expect(built.sort()).toEqual(BUILT);
    const waiting = [...places.values()];
    const problems: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const problem = await problemOf(next.expression);
        if (problem !== null) problems.push(`${next.file}: ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
    expect(problems).toEqual([]);
  }, 300_000);

  it.each([
    [String.raw`const a = /name="([^"\r\n]*)"[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n([^\r\n]*)\r?\n--/g;`],
    [String.raw`const a = /%.*$/;`],
    [`const a = new RegExp('^(a|a)*$', 'i');`],
  ])('fail for %s', async (text) => {
    const [expression] = expressionsIn(text).written;
    expect(expression && (await problemOf(expression))).toContain('vulnerable');
  });
});
