/**
 * Compares country databases: how often they agree, by registry.
 *
 *   node scripts/compare-countries.mjs a.mmdb b.mmdb c.mmdb
 *
 * Looks up one address of every /20 (IPv4) and of every /32 (IPv6) that the registries assign. For each file, prints how
 * often it agrees with the others where those agree with each other, so that with three files an outlier shows.
 */
import { basename } from 'node:path';
import { open } from 'maxmind';

/** IPv4 registries by first octet, from IANA's list (legacy blocks by administrator); ARIN has the rest. */
const IPV4 = {
  AFRINIC: '41 102 105 154 196-197',
  APNIC:
    '1 14 27 36 39 42-43 49 58-61 101 103 106 110-126 133 150 153 163 171 175 180 182-183 202-203 210-211 218-223',
  LACNIC: '177 179 181 186-187 189-191 200-201',
  RIPE: '2 5 25 31 37 46 51 53 57 62 77-95 109 141 145 151 176 178 185 188 193-195 212-213 217',
};
/** IPv6 blocks: the first two 16-bit groups and the prefix length. */
const IPV6 = [
  ['APNIC early', 0x20010200, 23],
  ['APNIC early', 0x20010c00, 23],
  ['APNIC early', 0x20010e00, 23],
  ['APNIC early', 0x20014400, 23],
  ['RIPE early', 0x20010600, 23],
  ['RIPE early', 0x20010a00, 23],
  ['ARIN early', 0x20010400, 23],
  ['LACNIC early', 0x20011200, 23],
  ['APNIC', 0x24000000, 12],
  ['ARIN', 0x26000000, 12],
  ['LACNIC', 0x28000000, 12],
  ['RIPE', 0x2a000000, 12],
  ['AFRINIC', 0x2c000000, 12],
];
const NOT_PUBLIC = new Set([0, 10, 127, ...range('224-255')]);

const files = process.argv.slice(2);
if (files.length < 2) {
  process.stderr.write('usage: node scripts/compare-countries.mjs a.mmdb b.mmdb [c.mmdb …]\n');
  process.exit(2);
}
const readers = await Promise.all(files.map((file) => open(file)));
const tally = new Map();
for (const [registry, address] of ipv4()) count(`IPv4 ${registry}`, address);
for (const [registry, address] of ipv6()) count(`IPv6 ${registry}`, address);
print();

function* ipv4() {
  const registryOf = new Map(
    Object.entries(IPV4).flatMap(([name, octets]) => range(octets).map((octet) => [octet, name])),
  );
  for (let block = 0; block < 2 ** 20; block++) {
    const first = block >> 12;
    if (NOT_PUBLIC.has(first)) continue;
    yield [registryOf.get(first) ?? 'ARIN', `${first}.${(block >> 4) & 255}.${(block & 15) << 4}.1`];
  }
}

function* ipv6() {
  for (const [registry, start, bits] of IPV6) {
    for (let block = start; block < start + 2 ** (32 - bits); block++) {
      yield [registry, `${(block >>> 16).toString(16)}:${(block & 0xffff).toString(16)}::1`];
    }
  }
}

function range(text) {
  return text.split(' ').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}

function countryOf(reader, address) {
  const record = reader.get(address);
  return record?.country_code ?? record?.country?.iso_code ?? null;
}

function count(group, address) {
  const countries = readers.map((reader) => countryOf(reader, address));
  if (countries.every((country) => country === null)) return;
  const row = tally.get(group) ?? {
    addresses: 0,
    known: files.map(() => 0),
    judged: files.map(() => 0),
    agreed: files.map(() => 0),
  };
  row.addresses++;
  countries.forEach((country, i) => {
    if (country !== null) row.known[i]++;
    const others = countries.filter((_, j) => j !== i);
    if (others[0] === null || others.some((other) => other !== others[0])) return;
    row.judged[i]++;
    if (country === others[0]) row.agreed[i]++;
  });
  tally.set(group, row);
}

function print() {
  const share = (part, whole) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`).padStart(8);
  files.forEach((file, i) => console.log(`${'abcdefgh'[i]}: ${basename(file)}`));
  console.log('\nknown: addresses with a country in the file; agrees: with the others, where those agree\n');
  const names = files.map((_, i) => 'abcdefgh'[i]);
  console.log(
    [
      'registry'.padEnd(20),
      'addresses'.padStart(9),
      ...names.map((n) => `${n} known`.padStart(8)),
      ...names.map((n) => `${n} agrees`.padStart(8)),
    ].join('  '),
  );
  for (const [group, { addresses, known, judged, agreed }] of [...tally].sort()) {
    const cells = [...known.map((n) => share(n, addresses)), ...agreed.map((n, i) => share(n, judged[i]))];
    console.log([group.padEnd(20), String(addresses).padStart(9), ...cells].join('  '));
  }
}
