import { execFileSync } from 'node:child_process';
import { parseUrl } from './parse-url';

const OPTIMIZED = `
  const canParse = (text) => URL.canParse(text);
  for (let i = 0; i < 300_000; i++) canParse('https://example.com/' + i);
  process.stdout.write(String(canParse('https://Bücher.example')));`;

describe('parseUrl', () => {
  it('parses exactly what the URL standard accepts', () => {
    expect(parseUrl('https://Bücher.example')?.href).toBe('https://xn--bcher-kva.example/');
    expect(parseUrl('/a', 'https://example.com/b')?.href).toBe('https://example.com/a');
    expect(parseUrl('no url')).toBeNull();
  });

  it('is needed as long as the oldest supported Node is 20', () => {
    const isNode20 = process.versions.node.startsWith('20.');
    const answer = execFileSync(process.execPath, ['-e', OPTIMIZED], { encoding: 'utf8' });
    expect(answer).toBe(isNode20 ? 'false' : 'true');
  });
});
