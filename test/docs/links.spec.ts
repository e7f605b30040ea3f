import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { sourceFiles } from '../architecture/import-graph';
import { filesBelow } from '../support/files-below';

const ROOT = resolve(__dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  ...filesBelow(ROOT, 'docs').filter((file) => file.endsWith('.md')),
];

/** Anchors of a document's headings, as GitHub makes them. */
function anchors(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What a reference to a file of the project, with or without an anchor, lacks; null when it leads somewhere. */
function problem(target: string): string | null {
  const [file = '', anchor] = target.split('#');
  if (!existsSync(join(ROOT, file))) return `${target}: no such file`;
  return anchor && !anchors(file).includes(anchor) ? `${target}: no such heading` : null;
}

describe('References to documents', () => {
  it('lead somewhere in every document', () => {
    const broken = DOCUMENTS.flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```.*?^```$/gms, '');
      const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link);
      return links.flatMap((link) => {
        const target = link.startsWith('#') ? file + link : join(dirname(file), link);
        const found = problem(target);
        return found ? [`${file}: ${found}`] : [];
      });
    });
    expect(broken).toEqual([]);
  });

  it('lead somewhere in every comment', () => {
    const broken = sourceFiles(ROOT).flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return [...text.matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].flatMap(([target]) => {
        const found = problem(target);
        return found ? [`${file}: ${found}`] : [];
      });
    });
    expect(broken).toEqual([]);
  });
});
