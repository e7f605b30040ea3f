import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../src/config/config';
import { canBeFile } from '../../src/config/secret-files';
import { readSettings } from '../architecture/settings';

const ROOT = resolve(__dirname, '../..');
const ROW = /^\| `([A-Z0-9_]+)` *\| (.*?) *\| (.*?) *\|$/gm;

describe('docs/settings.md', () => {
  const settings = readSettings(ROOT);
  const text = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8');
  const rows = [...text.matchAll(ROW)];
  const defaults = new Map(rows.map(([, name = '', value = '']) => [name, value]));

  it('names every setting once, and no other', () => {
    expect(settings.size).toBeGreaterThan(15);
    expect(rows.map(([, name]) => name).sort()).toEqual([...settings.keys()].sort());
  });

  it('names every setting that a file can hold', () => {
    const named = [...text.matchAll(/`([A-Z0-9_]+)_FILE`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(4);
    expect([...new Set(named)].sort()).toEqual([...settings.keys()].filter(canBeFile).sort());
  });

  it('gives the fixed defaults of the code', () => {
    const fixed = [...settings].filter(([, value]) => value !== null);
    expect(fixed.length).toBeGreaterThan(8);
    expect(fixed.map(([name]) => [name, defaults.get(name)])).toEqual(
      fixed.map(([name, value]) => [name, `\`${value}\``]),
    );
  });

  it('gives the defaults that follow from others', () => {
    const { baseUrl, shortUrlBase, listenHosts } = readConfig({ PORT: '4321' });
    const shown = (name: string) => defaults.get(name)?.replaceAll('`', '').replace('<PORT>', '4321');
    expect([shown('BASE_URL'), shown('SHORT_URL_BASE')]).toEqual([baseUrl, shortUrlBase]);
    expect([shown('HOST'), listenHosts]).toEqual(['loopback, IPv4 and IPv6', ['127.0.0.1', '::1']]);
  });

  it('says of every other setting that it has none', () => {
    const computed = new Set(['BASE_URL', 'SHORT_URL_BASE', 'HOST']);
    const optional = [...settings].filter(([name, value]) => value === null && !computed.has(name));
    expect(optional.map(([name]) => [name, defaults.get(name)])).toEqual(
      optional.map(([name]) => [name, expect.stringMatching(/^none\b/)]),
    );
  });
});
