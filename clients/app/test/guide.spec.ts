import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { blocks, section } from '../../../test/docs/blocks';
import { temporaryFolder } from '../../../test/support/servers';

const ROOT = resolve(__dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/native-apps.md'), 'utf8');

describe('the guide for native apps', () => {
  it('shows a program that compiles with this package', () => {
    const shown = blocks(section(GUIDE, '## React Native, Expo and Capacitor'));
    expect(shown.map(({ language }) => language)).toEqual(['ts']);
    const file = join(temporaryFolder('guide'), 'app.ts');
    writeFileSync(file, `${shown[0]?.text ?? ''}\ndeclare function navigate(link: string): void;\n`);
    const options = ['--ignoreConfig', '--strict', '--noEmit', '--target', 'es2022'];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout } = spawnSync(tsc, [...options, ...modules, file], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});
