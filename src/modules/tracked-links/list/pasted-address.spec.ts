import { pastedAddress } from './pasted-address';

const named = (host: string | null, appPath: string | null, code: string) => ({ host, appPath, code });

describe('pastedAddress', () => {
  it.each([
    ['https://go.example.com/aZ3kQ9x', named('go.example.com', null, 'aZ3kQ9x')],
    ['HTTP://GO.example.com.:8080/aZ3kQ9x/', named('go.example.com', null, 'aZ3kQ9x')],
    ['go.example.com/aZ3kQ9x?utm_source=x#y', named('go.example.com', null, 'aZ3kQ9x')],
    ['go.example.com/k3v9qx/aZ3kQ9x', named('go.example.com', 'k3v9qx', 'aZ3kQ9x')],
    ['localhost:3000/spring', named('localhost', null, 'spring')],
    ['https://localhost/spring', named('localhost', null, 'spring')],
    ['링크.example/봄', named('xn--9y2bo82b.example', null, '봄')],
    ['go.example.com/%EB%B4%84', named('go.example.com', null, '봄')],
    ['링크.example/spring', named('xn--9y2bo82b.example', null, 'spring')],
    ['k3v9qx/aZ3kQ9x', named(null, 'k3v9qx', 'aZ3kQ9x')],
    ['/aZ3kQ9x', named(null, null, 'aZ3kQ9x')],
    ['aZ3kQ9x?a=1', named(null, null, 'aZ3kQ9x')],
    ['aZ3kQ9x', null],
    ['example.com', null],
    ['https://go.example.com/', null],
    ['https:///x', null],
    ['https://[/x', null],
    ['a/b/c', null],
    ['go.example.com/a.b', named('go.example.com', null, 'a.b')],
    [`go.example.com/${'x'.repeat(255)}`, named('go.example.com', null, 'x'.repeat(255))],
    [`go.example.com/${'x'.repeat(256)}`, null],
    ['100%/off!', null],
  ])('reads the link in %s', (text, expected) => {
    expect(pastedAddress('link', text)).toEqual(expected);
  });

  it.each([
    ['https://go.example.com/c/spring', named('go.example.com', null, 'spring')],
    ['go.example.com/c/spring/poster?cid=42', named('go.example.com', null, 'spring')],
    ['go.example.com/k3v9qx/c/spring/%EB%B4%84/', named('go.example.com', 'k3v9qx', 'spring')],
    ['c/spring', named(null, null, 'spring')],
    ['/c/spring/', named(null, null, 'spring')],
    ['k3v9qx/c/spring', named(null, 'k3v9qx', 'spring')],
    ['go.example.com/spring', null],
    ['go.example.com/c', null],
    ['go.example.com/c/spring/a/b', null],
    ['go.example.com/a/b/c/spring', null],
  ])('reads the campaign in %s', (text, expected) => {
    expect(pastedAddress('campaign', text)).toEqual(expected);
  });
});
