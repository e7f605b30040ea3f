import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Placement, PLACEMENTS, REASONS } from '../../src/infrastructure/database/citus/placement';

const WHERE: Record<Exclude<Placement, 'distributed'>, string> = {
  'by address': 'by `address`',
  reference: 'every node',
  local: 'the coordinator',
};

describe('docs/scaling.md#where-tables-live', () => {
  it('lists every table that is not distributed by organization, where it is and why', () => {
    const text = readFileSync(join(resolve(__dirname, '../..'), 'docs/scaling.md'), 'utf8');
    const [, section = ''] = /^#### Where tables live$([^]*?)^##/m.exec(text) ?? [];
    const listed = [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\| (.*?) +\|$/gm)].map(([, ...row]) => row);
    const expected = [...PLACEMENTS].flatMap(([table, placement]) =>
      placement === 'distributed' ? [] : [[table, WHERE[placement], REASONS[table]]],
    );
    expect(expected.length).toBeGreaterThan(20);
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });
});
