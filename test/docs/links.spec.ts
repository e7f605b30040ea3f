import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { anchorsOf, brokenReferences, documents } from './references';
import { temporaryFolder } from '../support/servers';

const ROOT = resolve(__dirname, '../..');

describe('References to documents', () => {
  it('are looked for in every document', () => {
    const found = documents(ROOT);
    expect(found).toEqual(
      expect.arrayContaining([
        'README.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'SECURITY.md',
        'docs/tutorial.md',
        'docs/concepts/links.md',
        'clients/web/README.md',
      ]),
    );
  });

  it('lead somewhere', () => {
    expect(brokenReferences(ROOT)).toEqual([]);
  });
});

describe('The check of references', () => {
  /** A variable, so that the broken references below don't count as the project's. */
  const DOCS = 'docs';
  const DOC = `${DOCS}/page.md`;
  const good = {
    'README.md': `# Start\n\n[a page](${DOCS}/page.md#two-words), [here](#start), \`src/there.ts\`, <img src="${DOCS}/a.svg">`,
    [DOC]:
      '# Page\n\n## Two words\n\n[up](../README.md) [web](https://example.com/#x) [mail](mailto:a@example.com)',
    'docs/a.svg': '<svg/>',
    'src/there.ts': `// ${DOC}#two-words`,
  };

  function project(changes: Record<string, string>): string {
    const root = temporaryFolder('references');
    for (const [file, text] of Object.entries({ ...good, ...changes })) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    return root;
  }

  it('finds nothing where nothing is wrong', () => {
    expect(brokenReferences(project({}))).toEqual([]);
  });

  it.each([
    ['a file', 'README.md', `[a](${DOCS}/gone.md)`, `${DOCS}/gone.md: no such file`],
    ['a heading', 'README.md', `[a](${DOCS}/page.md#gone)`, `${DOC}#gone: no such heading`],
    ['a heading of its own', 'README.md', '# Start\n\n[a](#gone)', 'README.md#gone: no such heading'],
    [
      'a heading inside of a fence',
      'README.md',
      '```\n# In\n```\n\n[a](#in)',
      'README.md#in: no such heading',
    ],
    ['a picture', 'README.md', '![a](docs/gone.svg "Title")', 'docs/gone.svg: no such file'],
    ['a picture of HTML', 'README.md', '<img src="docs/gone.svg">', 'docs/gone.svg: no such file'],
    ['a definition', 'README.md', `[a][b]\n\n[b]: ${DOCS}/gone.md\n`, `${DOCS}/gone.md: no such file`],
    ['a path in code', 'README.md', 'See `src/gone.ts`.', 'src/gone.ts: no such file'],
    ['a file, below src', 'src/modules/a/README.md', '[a](b.md)', 'src/modules/a/b.md: no such file'],
    ['a file, in a comment', 'src/there.ts', `// ${DOC.replace('page', 'gone')}`, `no such file`],
    ['a heading, in a comment', 'test/a.spec.ts', `/* ${DOC}#gone */`, 'no such heading'],
    ['a heading, in a migration', 'migrations/1.ts', `// ${DOC}#gone`, 'no such heading'],
    ['a heading, in a script', 'scripts/a.mjs', `'${DOC}#gone'`, 'no such heading'],
  ])('finds %s that is not there', (_, file, text, problem) => {
    const found = brokenReferences(project({ [file]: text }));
    expect(found).toEqual([expect.stringContaining(problem)]);
    expect(found[0]).toContain(`${file}: `);
  });

  it('makes anchors as GitHub does', () => {
    const headings = [
      '# Deletion and re-creation',
      '## `npm start` & _what_ [it](a.md) does, **twice**',
      "### A domain's own pages",
      '## snake_case 한국어 é',
      '## Same',
      '## Same',
      '#no heading',
    ];
    expect(anchorsOf(headings.join('\n\n'))).toEqual([
      'deletion-and-re-creation',
      'npm-start--what-it-does-twice',
      'a-domains-own-pages',
      'snake_case-한국어-é',
      'same',
      'same-1',
    ]);
  });
});
