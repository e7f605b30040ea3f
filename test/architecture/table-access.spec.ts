import { resolve } from 'node:path';
import { foreignTableUses, readTableUses, tableUses } from './table-access';

describe('Tables', () => {
  it('are read only by their own module and by reports', () => {
    const uses = readTableUses(resolve(__dirname, '../..'));
    expect(uses.length).toBeGreaterThan(20);
    expect(foreignTableUses(uses)).toEqual([]);
  });

  it.each([
    [
      "tx.query('SELECT 1 FROM\\n links')",
      'src/modules/clicks/planted.ts reads links, which belongs to links',
    ],
    [
      "tx.query('SELECT 1 FROM x JOIN links')",
      'src/modules/clicks/planted.ts reads links, which belongs to links',
    ],
    ["tx.query('UPDATE links SET id = 1')", 'links is written by links and clicks'],
    ["tx.query('DELETE FROM links')", 'links is written by links and clicks'],
    ["@Entity('links') class Planted {}", 'links is written by links and clicks'],
  ])('fail on a foreign module that has %s', (code, violation) => {
    const uses = [
      ...tableUses('src/modules/links/link.entity.ts', "@Entity('links') class Link {}"),
      ...tableUses('src/modules/clicks/planted.ts', code.replace('\\n', '\n')),
    ];
    expect(foreignTableUses(uses.filter(({ table }) => table === 'links'))).toEqual([violation]);
  });

  it('may be read by reports', () => {
    const uses = [
      ...tableUses('src/modules/links/link.entity.ts', "@Entity('links') class Link {}"),
      ...tableUses('src/modules/sessions/a.query.ts', "tx.query('SELECT 1 FROM links')"),
    ];
    expect(foreignTableUses(uses)).toEqual([]);
  });
});
