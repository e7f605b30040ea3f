import { addressIn, networkOf, normalizeIp, trustOf } from './client-ip';

describe('A client address', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.5:40000', '203.0.113.5'],
    ['203.0.113.5:0', '203.0.113.5'],
    [' 203.0.113.5\t', '203.0.113.5'],
    ['"203.0.113.5"', '203.0.113.5'],
    ['"203.0.113.5:40000"', '203.0.113.5'],
    ['for=203.0.113.5', '203.0.113.5'],
    ['For="[2001:db8::7]:4711"', '2001:db8::7'],
    ['2001:db8::7', '2001:db8::7'],
    ['2001:0DB8:0:0::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:40000', '2001:db8::7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:443', 'fe80::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['[::ffff:203.0.113.5]:40000', '203.0.113.5'],
    ['[203.0.113.5]:40000', '203.0.113.5'],
  ])('%j is %s', (text, address) => {
    expect(addressIn(text)).toBe(address);
  });

  it.each([
    '',
    ' ',
    'unknown',
    '_hidden',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.5:port',
    '203.0.113.5:',
    '203.0.113.5:400000',
    '203.0.113.5, 203.0.113.6',
    '203.0.113.5/24',
    '[2001:db8::7',
    '2001:db8::7]:80',
    '[2001:db8::7]80',
    '[]:80',
    'shop.example:80',
    '2001:db8::g',
  ])('%j is none', (text) => {
    expect(addressIn(text)).toBeNull();
    expect(normalizeIp(text)).toBe('unknown');
  });

  it('belongs to a network: all of IPv4, the first 64 bits of IPv6', () => {
    expect(networkOf(normalizeIp('203.0.113.5:1'))).toBe('203.0.113.5');
    expect(networkOf(normalizeIp('::ffff:203.0.113.5'))).toBe('203.0.113.5');
    const [one, two, other] = ['2001:db8:0:7::1', '[2001:db8:0:7:ffff::2]:80', '2001:db8:0:8::1'].map(
      (text) => networkOf(normalizeIp(text)),
    );
    expect(one).toBe(two);
    expect(one).not.toBe(other);
  });

  it('is trusted in every form', () => {
    const trust = trustOf(['10.0.0.0/8', '2001:db8::/32']);
    for (const hop of ['10.1.2.3', '10.1.2.3:443', '::ffff:10.1.2.3', '[2001:db8::1]:443'])
      expect([hop, trust(hop, 3)]).toEqual([hop, true]);
    for (const hop of ['11.1.2.3', '11.1.2.3:443', 'unknown', ''])
      expect([hop, trust(hop, 0)]).toEqual([hop, false]);
    expect([0, 1, 2].map((hop) => trustOf(2)('', hop))).toEqual([true, true, false]);
  });
});
