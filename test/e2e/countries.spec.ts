import { Countries } from '../../src/modules/clicks/visitor-facts';
import { useTestApp } from '../support/test-app';

/** IP addresses with a certain country, and one without. */
describe('Countries of IP addresses', () => {
  const app = useTestApp({ redis: false });

  it.each([
    ['2001:2d8::1', 'KR'],
    ['2001:e60::1', 'KR'],
    ['2001:4430::1', 'KR'],
    ['2001:240:2400::1', 'JP'],
    ['211.234.1.1', 'KR'],
    ['126.0.0.1', 'JP'],
    ['8.8.8.8', 'US'],
  ])('%s is in %s', (address, country) => {
    expect(app.get(Countries).of(address)).toBe(country);
  });

  it.each([
    '10.1.2.3',
    '127.0.0.1',
    '192.168.1.1',
    '203.0.113.1',
    '::1',
    'fc00::1',
    '2001:db8::1',
    'not an address',
    '',
  ])('%s is nowhere', (address) => {
    expect(app.get(Countries).of(address)).toBe('Unknown');
  });
});
