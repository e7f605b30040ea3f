import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow } from '../support/files-below';

/** Folders whose files may name documents, and be named by them. */
const FOLDERS = ['.ci', 'clients', 'docker', 'docs', 'migrations', 'scripts', 'src', 'test'];
/** Files created by commands in documents. */
const GENERATED = new Set(['docker/.env', 'test/.screenshots', 'test/.screenshots/pages']);

const FENCE = /^( *)(`{3,}|~{3,}).*?^\1\2`*$/gms;
const CODE_SPAN = /(`+)(.+?)\1/gs;
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm;
const ATTRIBUTE = /\b(?:src|href)="([^"]+)"/g;
const DOCUMENT = /\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g;
const PROJECT_PATH = new RegExp(`^(?:${FOLDERS.map((folder) => folder.replace('.', '\\.')).join('|')})/`);
const EXTERNAL = /^(?:[a-z][a-z0-9+.-]*:|\/)/i;

/** Every Markdown file of the project. */
export function documents(root: string): string[] {
  return files(root).filter((file) => file.endsWith('.md'));
}

/** Broken references in documents and code: `<file>: <reference>: <problem>`. */
export function brokenReferences(root: string): string[] {
  return files(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const named = file.endsWith('.md') ? namedByDocument(file, text) : namedByCode(file, text);
    return named.flatMap((reference) => {
      const problem = problemWith(root, reference);
      return problem ? [`${file}: ${reference}: ${problem}`] : [];
    });
  });
}

function files(root: string): string[] {
  const below = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  return [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...below.flatMap((folder) => filesBelow(root, folder)),
  ].filter((file) => !/(?:^|\/)(?:node_modules|dist|\.tmp|\.screenshots)\//.test(file));
}

function namedByDocument(file: string, markdown: string): string[] {
  const prose = markdown.replaceAll(FENCE, '');
  const paths = [...prose.matchAll(CODE_SPAN)]
    .map(([, , code = '']) => code)
    .filter((code) => PROJECT_PATH.test(code) && /^[\w./-]+$/.test(code));
  const text = prose.replaceAll(CODE_SPAN, '');
  const links = [LINK, DEFINITION, ATTRIBUTE]
    .flatMap((form) => [...text.matchAll(form)].map(([, target = '']) => target))
    .filter((target) => !EXTERNAL.test(target))
    .map((target) => (target.startsWith('#') ? file + target : join(dirname(file), decodeURI(target))));
  return [...links, ...paths];
}

function namedByCode(file: string, text: string): string[] {
  return /\.(?:[cm]?[jt]s|json|ya?ml|css|html|sh)$|\/[^.]+$/.test(file)
    ? [...text.matchAll(DOCUMENT)].map(([reference]) => reference)
    : [];
}

function problemWith(root: string, reference: string): string | null {
  const [file = '', anchor] = reference.split('#');
  if (GENERATED.has(file)) return null;
  if (!existsSync(join(root, file))) return 'no such file';
  if (!anchor) return null;
  if (!file.endsWith('.md')) return 'an anchor of a file that has no headings';
  return anchorsOf(readFileSync(join(root, file), 'utf8')).includes(anchor) ? null : 'no such heading';
}

/** GitHub's anchors of a document's headings (rules: https://github.com/Flet/github-slugger). */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  return [...markdown.replaceAll(FENCE, '').matchAll(/^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/gm)].map(
    ([, heading = '']) => {
      const slug = slugOf(heading);
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    },
  );
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*{1,3}|(?<!\w)_{1,3})(?=\S)(.+?)\1/g, '$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
