import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceFiles } from './import-graph';
import { filesBelow } from '../support/files-below';
import { brokenRules } from './source-rules';

const ROOT = resolve(__dirname, '../..');

describe('Rules of the source', () => {
  it('hold in every file', () => {
    const files = sourceFiles(ROOT);
    expect(files.length).toBeGreaterThan(30);
    expect(files.flatMap((file) => brokenRules(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('are not turned off by comments for the linter', () => {
    const code = ['clients', 'console', 'docker', 'migrations', 'scripts', 'src', 'test']
      .flatMap((folder) => filesBelow(ROOT, folder))
      .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/(?:^|\/)(?:node_modules|dist|\.tmp)\//.test(file));
    const turningOff = code.filter((file) =>
      /\b(?:es|ox)lint-disable/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(turningOff).toEqual([]);
  });

  it.each([
    ['src/common/planted.ts', 'const port = process.env.PORT;'],
    ['src/common/planted.ts', "const port = process.env['PORT'];"],
    ['src/common/planted.ts', 'const { env } = process;'],
    ['src/common/planted.ts', "import { env } from 'node:process';"],
    ['src/main.ts', 'const config = readConfig(process.env); const port = process.env.PORT;'],
    ['src/common/planted.ts', 'const env = Object.entries(process.env);'],
    ['src/common/index.ts', 'export const planted = 1;'],
    ['src/modules/links/planted.entity.ts', 'class Planted { @ManyToOne(() => App) app!: App; }'],
    [
      'src/modules/links/planted.entity.ts',
      "class Planted { @PrimaryGeneratedColumn({ type: 'bigint' }) id!: number; }",
    ],
    ['src/modules/links/links.module.ts', 'const later = forwardRef(() => Campaigns);'],
    ['src/modules/apps/planted.ts', 'await apps.update({ id }, fields);'],
    ['src/access/users/planted.ts', "import { hashPassword } from './password';"],
    ['src/modules/apps/planted.ts', 'await tx.repository(App).delete({ id: app.id });'],
  ])('fail in %s with %s', (file, text) => {
    expect(brokenRules(file, text)).toHaveLength(1);
  });

  it.each([
    ['src/main.ts', 'const config = readConfig(process.env);'],
    ['src/common/planted.ts', "import { spawn } from 'node:child_process'; const env = { ...process.env };"],
    ['src/modules/apps/planted.ts', 'await apps.update({ id, organizationId }, fields);'],
    ['src/common/planted.ts', '// process.env is read in src/config, without forwardRef or @ManyToOne'],
  ])('pass in %s with %s', (file, text) => {
    expect(brokenRules(file, text)).toEqual([]);
  });
});
