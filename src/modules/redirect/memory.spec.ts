import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { agentOf, referrerHost } from '../clicks/visitor-facts';
import { HostNames } from './hosts';

const TEXTS = 1_500;
const LENGTH = 15_000;
const MOST_BYTES = TEXTS * 2_000;

describe('memory of request headers', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const hosts = new HostNames();

  const heapUsed = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  it.each<[string, (text: string) => unknown]>([
    ['User agents', agentOf],
    ['Referrers', referrerHost],
    ['Host values', (text) => hosts.of(text)],
  ])('%s of 15 KB are not retained', (_, read) => {
    const before = heapUsed();
    for (let i = 0; i < TEXTS; i++) read(Buffer.alloc(LENGTH, `x${i} `).toString('latin1'));
    expect(heapUsed() - before).toBeLessThan(MOST_BYTES);
  });

  it('Host names up to the maximum length are parsed', () => {
    const longest = `${'a.'.repeat(125)}com`;
    expect(hosts.of(`${longest}.:65535`)).toBe(longest);
    expect(hosts.of('a'.repeat(300))).toBe('');
  });

  it('Long user agents are parsed by their beginning', () => {
    const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15';
    expect(agentOf(iphone + ' x'.repeat(7_000)).platform).toBe('iOS');
  });
});
