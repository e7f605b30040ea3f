import { DataSource, type EntityMetadata, TableColumn } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import { useTestApp } from '../support/test-app';
import { PLACEMENTS } from '../../src/infrastructure/database/citus/placement';

/** Type and constraints by the name of a column. */
type Columns = Record<string, string>;

const TABLES = `
  SELECT c.relname AS table, json_object_agg(a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attnotnull THEN 'NOT NULL' END, CASE WHEN p.indrelid IS NOT NULL THEN 'PRIMARY KEY' END)) AS columns
    FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index AS p ON p.indrelid = c.oid AND p.indisprimary AND a.attnum = ANY (p.indkey)
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> 'migrations'
   GROUP BY c.relname ORDER BY c.relname`;

const app = useTestApp({ redis: false });

describe('entities', () => {
  let entities: EntityMetadata[];
  let tables: Map<string, Columns>;

  beforeAll(async () => {
    entities = app.get(DataSource).entityMetadatas;
    const rows = await app.sql<{ table: string; columns: Columns }>(TABLES);
    tables = new Map(rows.map(({ table, columns }) => [table, columns]));
  });

  const typeOf = (column: ColumnMetadata): string => {
    const { driver } = app.get(DataSource);
    const { databaseName: name, isArray, length, precision, scale } = column;
    const type = driver.normalizeType(column);
    const full = driver.createFullType(
      new TableColumn({ name, type, isArray, length, precision: precision ?? undefined, scale }),
    );
    return full.toLowerCase().replace(/ array$/, '[]');
  };

  const columnsOf = ({ columns }: EntityMetadata): Columns =>
    Object.fromEntries(
      columns.map((column) => [
        column.databaseName,
        [
          typeOf(column),
          ...(column.isNullable ? [] : ['NOT NULL']),
          ...(column.isPrimary ? ['PRIMARY KEY'] : []),
        ].join(' '),
      ]),
    );

  it('stand for a table each', () => {
    const named = entities.map(({ tableName }) => tableName);
    expect(new Set(named).size).toBe(named.length);
  });

  it('have the columns of the migrated schema, with their types and constraints', () => {
    expect(Object.fromEntries(entities.map((entity) => [entity.tableName, columnsOf(entity)]))).toEqual(
      Object.fromEntries(entities.map(({ tableName }) => [tableName, tables.get(tableName)])),
    );
  });
});

describe('placement of tables with Citus', () => {
  it('is decided for every table, and for no other', async () => {
    const tables = await app.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    expect([...PLACEMENTS.keys()].toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
  });

  it('is possible: unique keys of distributed tables hold the organization', async () => {
    const keys = await app.sql<{ table: string; key: string }>(
      `SELECT t.relname AS table, k.relname AS key
         FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_class AS k ON k.oid = i.indexrelid
        WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition AND i.indisunique
          AND NOT EXISTS (
                SELECT FROM pg_attribute AS a
                 WHERE a.attrelid = i.indexrelid AND a.attnum <= i.indnkeyatts AND a.attname = 'organization_id')`,
    );
    const distributed = keys.filter(({ table }) => PLACEMENTS.get(table) === 'distributed');
    expect(distributed.map(({ key }) => key)).toEqual([]);
  });
});
