import ts from 'typescript';

/** Code without comments, as the TypeScript printer formats it. */
export function withoutComments(text: string): string {
  const source = ts.createSourceFile('code.ts', text, ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}

/** A rule for single files that neither types nor the linter can express. */
interface SourceRule {
  readonly name: string;
  broken(file: string, code: string): boolean;
}

/** Uses of the environment that pass it on: to readConfig, and to child processes. */
const HANDED_ON =
  /\breadConfig\(process\.env\)|\bObject\.entries\(process\.env\)|\.\.\.process\.env\b(?![.[])/g;
const ENVIRONMENT =
  /\bprocess\s*\.\s*env\b|\{[^}]*\benv\b[^}]*\} (?:= process\b|from ['"](?:node:)?process['"])/;

/** Files that hash passwords, each within a limit (docs/security.md#login-limits). */
const HASHING = new Set([
  'src/access/console/passwords.service.ts',
  'src/modules/tracked-links/tracked-link-drafts.ts',
  'src/modules/tracked-links/restrictions/link-password-attempts.ts',
]);

const SOURCE_RULES: readonly SourceRule[] = [
  {
    name: 'settings are read once: process.env is passed only to readConfig or a child process',
    broken: (file, code) => !file.startsWith('src/config/') && ENVIRONMENT.test(withoutHandingOn(code)),
  },
  {
    name: 'imports name the file itself: no index.ts',
    broken: (file) => /(^|\/)index\.ts$/.test(file),
  },
  {
    name: 'modules share ids, not TypeORM relations',
    broken: (_, code) =>
      /@(OneToOne|OneToMany|ManyToOne|ManyToMany|JoinColumn|JoinTable|RelationId)\b/.test(code),
  },
  {
    name: "ids are numbers: @PrimaryGeneratedColumn('identity', …), because TypeORM returns 'increment' as text",
    broken: (_, code) => /@PrimaryGeneratedColumn\((?!['"](?:identity|uuid)['"])/.test(code),
  },
  {
    name: 'no forwardRef: move the code to another module',
    broken: (_, code) => /\bforwardRef\b/.test(code),
  },
  {
    name: 'passwords are hashed within a limit: PasswordsService has that of users',
    broken: (file, code) => !HASHING.has(file) && /\bimport\b.*\b(?:hash|verify)Password\b/.test(code),
  },
  {
    name: 'repositories change a row by its id together with the organization',
    broken: (file, code) =>
      !file.startsWith('src/access/organizations/') &&
      [...code.matchAll(/\.(?:update|delete)\(\{([^}]*)\}/g)].some(
        ([, where = '']) => /\bid\b/.test(where) && !where.includes('organizationId'),
      ),
  },
];

function withoutHandingOn(code: string): string {
  const startsPrograms = /from ['"]node:child_process['"]/.test(code);
  return code.replaceAll(HANDED_ON, (use) => (startsPrograms || use.startsWith('readConfig') ? '' : use));
}

export function brokenRules(file: string, text: string): string[] {
  const code = withoutComments(text);
  return SOURCE_RULES.filter((rule) => rule.broken(file, code)).map((rule) => `${file}: ${rule.name}`);
}
