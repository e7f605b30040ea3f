import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSettings } from './settings';

const ROOT = resolve(__dirname, '../..');
const ROW = /^\| `([A-Z0-9_]+)` *\| (.*?) *\| (.*?) *\|$/gm;

describe('The settings table of the README', () => {
  const settings = readSettings(ROOT);
  const rows = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(ROW)];

  it('names every setting once, and no other', () => {
    expect(settings.size).toBeGreaterThan(15);
    expect(rows.map(([, name]) => name).sort()).toEqual([...settings.keys()].sort());
  });

  it('gives the defaults of the code', () => {
    const fixed = [...settings].filter(([, value]) => value !== null);
    expect(fixed.length).toBeGreaterThan(8);
    const told = new Map(rows.map(([, name, value]) => [name, value]));
    expect(fixed.map(([name]) => [name, told.get(name)])).toEqual(
      fixed.map(([name, value]) => [name, `\`${value}\``]),
    );
  });
});
