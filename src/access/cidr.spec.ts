import { normalizeIp } from './client-ip';
import { formatRange, inRanges, parseRange } from './cidr';

const written = (text: string) => {
  const range = parseRange(text);
  return range && formatRange(range);
};

const allowed = (ip: string, ...ranges: string[]) =>
  inRanges(
    normalizeIp(ip),
    ranges.map(parseRange).filter((range) => range !== null),
  );

describe('addresses and ranges', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ])('normalizes %s to %s', (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '0x7f.0.0.1',
    '010.0.0.1/33',
    '2130706433',
    '1.2.3.4/',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/8/8',
    '1.2.3.4/08',
    '1.2.3.4/1e1',
    '1.2.3.4/255.0.0.0',
    '::1/129',
    'fe80::1%eth0',
    ':::',
    'example.com',
    '1.2.3.4 ',
    '١.2.3.4',
  ])('rejects %j', (text) => {
    expect(parseRange(text)).toBeNull();
  });

  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.8', '203.0.113.7', false],
    ['203.0.113.255', '203.0.113.0/24', true],
    ['203.0.114.0', '203.0.113.0/24', false],
    ['::ffff:203.0.113.9', '203.0.113.0/24', true],
    ['203.0.113.9', '::ffff:203.0.113.0/120', true],
    ['2001:db8:0:0:0:0:0:5', '2001:db8::/64', true],
    ['2001:db8:0:1::5', '2001:db8::/64', false],
    ['203.0.113.9', '::/0', false],
    ['::1', '0.0.0.0/0', false],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['unknown', '0.0.0.0/0', false],
    ['', '0.0.0.0/0', false],
  ])('%s in %s: %s', (ip, range, expected) => {
    expect(allowed(ip, range)).toBe(expected);
    expect(allowed(ip, '192.0.2.1', range)).toBe(expected);
  });
});
