import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../support/test-app';
import { blocks, section } from './blocks';

describe('docs/contributing.md#how-to-add-a-feature', () => {
  it('has a table that can be made, whose keys hold the organization', async () => {
    const document = readFileSync(resolve(__dirname, '../../docs/contributing.md'), 'utf8');
    const steps = section(document, '## How to add a feature').replaceAll(/^ {3}/gm, '');
    const migration = blocks(steps).find(({ language }) => language === 'sql')?.text ?? '';
    const { url } = await createTestDatabase();
    const database = await new DataSource({ type: 'postgres', url }).initialize();
    try {
      await database.query(migration);
      const keys: { columns: string }[] = await database.query(
        `SELECT pg_get_constraintdef(oid) AS columns FROM pg_constraint WHERE conrelid = 'notes'::regclass AND contype IN ('p', 'f')`,
      );
      expect(keys).toHaveLength(3);
      for (const { columns } of keys) expect(columns).toContain('organization_id');
    } finally {
      await database.destroy();
    }
  });
});
