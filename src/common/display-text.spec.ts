import { pictureAddress, displayAddress, displayText, webAddress } from './display-text';

describe('text and addresses shown to people', () => {
  it.each([
    ['Spring sale', 'Spring sale'],
    ['  봄 세일 🌸👩‍👩‍👧 ', '봄 세일 🌸👩‍👩‍👧'],
    ['می‌خواهم', 'می‌خواهم'],
    ['moc.elgoog\u202ewww\u202c', 'moc.elgoog www'],
    ['a\u0000b\u0007c\r\nd\u2028e', 'a b c d e'],
    ['\u2066\u2069\u200e\u200f\u061c', null],
    ['\u200b\u3164 ', null],
    ['\ud800a', '\ufffda'],
    ['', null],
    [null, null],
  ])('the text %j as %j', (text, expected) => {
    expect(displayText(text)).toBe(expected);
  });

  it('shortens by whole characters', () => {
    expect(displayText('🌸'.repeat(300))).toBe('🌸'.repeat(300));
    expect(displayText('🌸'.repeat(301))).toBe(`${'🌸'.repeat(299)}…`);
  });

  it.each([
    ['https://www.example.com/a', 'example.com', 'https://www.example.com/a'],
    ['https://example.com:8443/', 'example.com:8443', 'https://example.com:8443/'],
    ['https://аррӏе.com/', 'xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.com/'],
    ['https://bank.example@evil.example/', 'evil.example', 'https://bank.example@evil.example/'],
    ['https://example.com/\u202emoc.knab', 'example.com', 'https://example.com/%E2%80%AEmoc.knab'],
    [
      `https://example.com/${'a'.repeat(100)}end`,
      'example.com',
      `https://example.com/${'a'.repeat(40)}…${'a'.repeat(16)}end`,
    ],
  ])('the address %s under the host %s', (address, host, shown) => {
    expect(displayAddress(address)).toMatchObject({ host, shown });
  });

  it('links to an address byte for byte where it can be written so', () => {
    expect(webAddress('https://EXAMPLE.com/a%2Bb?x=%20+&flag#f')).toBe(
      'https://EXAMPLE.com/a%2Bb?x=%20+&flag#f',
    );
    expect(webAddress('https://example.com/é b')).toBe('https://example.com/%C3%A9%20b');
  });

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JAVASCRIPT://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'intent://x#Intent;scheme=javascript;end',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    '//example.com',
    'example.com',
    '',
    null,
  ])('%j is no address of the web', (address) => {
    expect(webAddress(address)).toBeNull();
    expect(pictureAddress(address)).toBeNull();
  });

  it('shows no picture that is not of https', () => {
    expect(pictureAddress('http://example.com/a.png')).toBeNull();
    expect(pictureAddress('HTTPS://example.com/a.png')).toBe('HTTPS://example.com/a.png');
  });
});
