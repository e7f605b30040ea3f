import { asciiHost, isUrl } from './host-name';

const NO_NAMES = ['xn--zzzzzzzzzzzzz99999.test', 'xn--a.test', 'xn--.test', 'xn--0.test', 'a.xn--zzzzzz9.b'];

describe('Host names', () => {
  it.each([
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a_b.example', 'a_b.example'],
    ['r3---sn.example', 'r3---sn.example'],
  ])('%s is %s', (name, ascii) => {
    expect(asciiHost(name)).toBe(ascii);
    expect(isUrl(`https://${name}/`)).toBe(true);
  });

  it.each(NO_NAMES)('rejects %s on every version of Node', (name) => {
    expect(asciiHost(name)).toBeNull();
    expect(isUrl(`https://${name}/`)).toBe(false);
    expect(isUrl(`https://${name.toUpperCase()}:8443/a?b#c`)).toBe(false);
  });
});
