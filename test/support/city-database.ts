import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Value = string | number | Value[] | { [key: string]: Value };

/** Addresses in the database of cities. */
export const CITIES = {
  seoul: '168.126.63.1',
  busan: '168.126.63.2',
  /** Has a country only. */
  korea: '168.126.63.3',
  paris: '194.25.0.125',
} as const;

/** Writes a database of cities in the MaxMind DB format (https://maxmind.github.io/MaxMind-DB/). @returns its path */
export function cityDatabase(): string {
  const city = (country: string, region: string, name: string): Value => ({
    country: { iso_code: country },
    subdivisions: [{ iso_code: region }],
    city: { names: { en: name } },
  });
  const file = join(tmpdir(), `cities-${process.pid}.mmdb`);
  writeFileSync(
    file,
    database('Test-City', {
      [CITIES.seoul]: city('KR', '11', 'Seoul'),
      [CITIES.busan]: city('KR', '26', 'Busan'),
      [CITIES.korea]: { country: { iso_code: 'KR' } },
      [CITIES.paris]: city('FR', 'IDF', 'Paris'),
    }),
  );
  return file;
}

/** A node of the search tree: its children by bit, or an index of the records. */
type Tree = [Tree | number | null, Tree | number | null];

function database(type: string, records: Record<string, Value>): Buffer {
  const root: Tree = [null, null];
  const nodes: Tree[] = [root];
  const values = Object.values(records).map((value) => encoded(value));
  for (const [index, address] of Object.keys(records).entries()) {
    const bits = address
      .split('.')
      .flatMap((byte) => Array.from(Number(byte).toString(2).padStart(8, '0'), Number));
    let node = root;
    for (const [i, bit] of bits.entries()) {
      const side = bit === 0 ? 0 : 1;
      if (i === bits.length - 1) node[side] = index;
      else {
        let next = node[side];
        if (!Array.isArray(next)) nodes.push((next = node[side] = [null, null]));
        node = next;
      }
    }
  }
  const offsets = values.map((_, i) => values.slice(0, i).reduce((sum, { length }) => sum + length, 0));
  const pointer = (child: Tree | number | null) => {
    const number = Array.isArray(child)
      ? nodes.indexOf(child)
      : nodes.length + (child === null ? 0 : 16 + (offsets[child] ?? 0));
    const bytes = Buffer.alloc(3);
    bytes.writeUIntBE(number, 0, 3);
    return bytes;
  };
  const metadata = {
    node_count: nodes.length,
    record_size: 24,
    ip_version: 4,
    database_type: type,
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000,
    description: { en: type },
  };
  return Buffer.concat([
    ...nodes.flatMap((node) => node.map((child) => pointer(child))),
    Buffer.alloc(16),
    ...values,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    encoded(metadata),
  ]);
}

/** A value of fewer than 29 bytes, items or keys. */
function encoded(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.of((2 << 5) | value.length), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.of((6 << 5) | 4, 0, 0, 0, 0);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  if (Array.isArray(value))
    return Buffer.concat([Buffer.of(value.length, 4), ...value.map((each) => encoded(each))]);
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.of((7 << 5) | entries.length),
    ...entries.flatMap(([key, each]) => [encoded(key), encoded(each)]),
  ]);
}
