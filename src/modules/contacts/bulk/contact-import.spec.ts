import type { Caller } from '../../../access/caller';
import { ContactImport, MAX_IMPORT_ROWS } from './contact-import';

describe('An import of contacts', () => {
  let saved: number;
  const bulk = {
    save: (_: unknown, { length }: readonly unknown[]) => {
      saved += length;
      return Promise.resolve({ items: [], created: length, updated: 0, failed: 0, errors: [] });
    },
  };
  const uses = { during: (_use: string, _id: number, _limit: number, work: () => unknown) => work() };
  const imports = new ContactImport(bulk as never, uses as never);
  const query = { maxErrors: 100 };
  const limits = { concurrentImports: 1, importRows: Infinity };
  const caller = { organizationId: 1, organization: { limits } } as Caller;

  /** A file with a header and this many rows. */
  async function* file(rows: number): AsyncGenerator<Buffer> {
    yield Buffer.from('externalUserId\n');
    for (let made = 0; made < rows; made += 1_000) {
      yield Buffer.from('a\n'.repeat(Math.min(1_000, rows - made)));
      await Promise.resolve();
    }
  }

  beforeEach(() => {
    saved = 0;
  });

  it('accepts as many rows as allowed', async () => {
    expect(await imports.run(caller, file(MAX_IMPORT_ROWS), query)).toMatchObject({
      created: MAX_IMPORT_ROWS,
    });
  });

  it('stops after them, and reports the result so far', async () => {
    const line = `line ${MAX_IMPORT_ROWS + 2}`;
    await expect(imports.run(caller, file(MAX_IMPORT_ROWS + 5_000), query)).rejects.toMatchObject({
      status: 400,
      extras: { created: MAX_IMPORT_ROWS, details: [{ field: line }] },
    });
    expect(saved).toBe(MAX_IMPORT_ROWS);
  });

  it('stops when the client has disconnected', async () => {
    await imports.run(caller, file(10_000), query, () => saved >= 1_000);
    expect(saved).toBe(1_000);
  });
});
