import type { Config } from '../../../config/config';
import { DestinationPolicy } from './destination-policy';
import type { DestinationChecker } from './destination-checker';
import type { DomainCache } from '../domain-cache';

const config = {
  baseUrl: 'https://api.waypost.test:8443',
  shortUrlBase: 'https://Go.Waypost.Test',
} as Config;
const domains = {
  find: (name: string) => Promise.resolve(name === 'links.brand.example' ? { id: 1 } : null),
} as DomainCache;
const checker: DestinationChecker = {
  problemOf: (url) => Promise.resolve(url.pathname === '/malware' ? 'must not be malware' : null),
};
const policy = new DestinationPolicy(config, domains, [checker]);

const address = 'must not point to a private, local or reserved address';
const localName = 'must not point to a local host name';
const ours = 'must not point to a short domain of this service';
const login = 'must not have a user name or password';

describe('DestinationPolicy', () => {
  it.each([
    ['https://127.0.0.1/', address],
    ['https://127.1/', address],
    ['https://127.0.0.1./', address],
    ['https://2130706433/', address],
    ['https://0x7f000001/', address],
    ['https://0x7f.0.0.1/', address],
    ['https://0177.0.0.1/', address],
    ['https://017700000001/', address],
    ['https://%31%32%37.0.0.1/', address],
    ['https://１２７.0.0.1/', address],
    ['https://0/', address],
    ['https://0.0.0.0/', address],
    ['https://10.0.0.1/', address],
    ['https://10.1/', address],
    ['https://172.16.0.1/', address],
    ['https://172.31.255.255/', address],
    ['https://192.168.1.1:8443/', address],
    ['https://3232235777/', address],
    ['https://169.254.169.254/latest/meta-data/', address],
    ['https://0xA9FEA9FE/', address],
    ['https://100.64.0.1/', address],
    ['https://100.100.100.200/', address],
    ['https://168.63.129.16/', address],
    ['https://192.0.2.1/', address],
    ['https://198.18.0.1/', address],
    ['https://224.0.0.1/', address],
    ['https://240.0.0.1/', address],
    ['https://255.255.255.255/', address],
    ['https://[::]/', address],
    ['https://[::1]/', address],
    ['https://[0:0:0:0:0:0:0:1]/', address],
    ['https://[::ffff:127.0.0.1]/', address],
    ['https://[::ffff:7f00:1]/', address],
    ['https://[::ffff:10.0.0.1]/', address],
    ['https://[::127.0.0.1]/', address],
    ['https://[64:ff9b::7f00:1]/', address],
    ['https://[2002:7f00:1::]/', address],
    ['https://[2001:0:7f00:1::]/', address],
    ['https://[fe80::1]/', address],
    ['https://[fc00::1]/', address],
    ['https://[fd00:ec2::254]/', address],
    ['https://[fec0::1]/', address],
    ['https://[ff02::1]/', address],
    ['https://[2001:db8::1]/', address],
    ['https://localhost/', localName],
    ['https://LOCALHOST/', localName],
    ['https://localhost./', localName],
    ['https://ⓛocalhost/', localName],
    ['https://%6cocalhost/', localName],
    ['https://app.localhost:3000/', localName],
    ['https://printer.local/', localName],
    ['https://metadata.google.internal/', localName],
    ['https://Metadata.Google.Internal./', localName],
    ['https://localhost.localdomain/', localName],
    ['https://router.home.arpa/', localName],
    ['https://nas.lan/', localName],
    ['https://go.waypost.test/abc', ours],
    ['https://GO.WAYPOST.TEST./abc', ours],
    ['https://go.waypost.test:444/abc', ours],
    ['https://api.waypost.test/', ours],
    ['https://links.brand.example/x', ours],
    ['https://Links.Brand.Example./x', ours],
    ['https://user:secret@example.com/', login],
    ['https://user@example.com/', login],
    ['https://:@example.com/', login],
    ['https://@example.com/', login],
    ['https://example.com@127.0.0.1/', login],
    ['https:///example.com', 'must name a host after https://'],
    ['HTTP:///example.com', 'must name a host after http://'],
    ['http://user@example.com/', login],
    ['http://10.0.0.1/', address],
    ['https://example.com/a\u0001b', 'must not contain control characters'],
    ['https://example.com/a\u007f', 'must not contain control characters'],
    ['https://example.com/malware', 'must not be malware'],
  ])('refuses %s: %s', async (url, reason) => {
    await expect(policy.problemWith(url)).resolves.toBe(reason);
  });

  it.each([
    'https://example.com',
    'http://example.com:8080/a',
    'HTTPS://EXAMPLE.COM/Path',
    'https://example.com:8443/a?b=c#d',
    'https://example.com/login?next=user@host',
    'https://example.com/@user',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://例え.テスト/パス',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://172.32.0.1/',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    'https://mylocal/',
    'https://internal.example.com/',
    'https://waypost.test/',
    'https://sub.go.waypost.test/',
    'https://brand.example/',
  ])('takes %s', async (url) => {
    await expect(policy.problemWith(url)).resolves.toBeNull();
  });
});
