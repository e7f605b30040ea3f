import type { SegmentPropertyResponse as Property } from '../../src/modules/segments/segment-builder.dto';
import { OPERATORS_OF } from '../../src/modules/segments/segment-condition';
import { SegmentCounts } from '../../src/modules/segments/segment-counts';
import { createBook, saveContact } from '../support/contacts';
import { type ApiClient, consoleApi, userOf } from '../support/factories';
import { type Given, GOLD, groups, SegmentConsole } from '../support/segments';
import { perTest, useTestApp } from '../support/test-app';

describe('building a segment', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });

  const platform = consoleApi(app);
  const book = perTest(() => createBook(app, { timeZone: 'Asia/Seoul' }));

  const countOf = async (conditionGroups: object): Promise<number | null> => {
    const { body } = await platform
      .post(`${book.consolePath}/segments/count`, { conditionGroups })
      .expect(200);
    return (body as { count: number | null }).count;
  };
  const properties = (by = platform): Promise<Property[]> =>
    by.read<Property[]>(`${book.consolePath}/segments/properties`);
  const property = async (key: string, by = platform) =>
    (await properties(by)).find((each) => each.key === key);

  /** Contacts with a grade, a number and a birthday; every tenth is deactivated. */
  const fill = (count: number) =>
    app.sql(
      `INSERT INTO contacts (organization_id, id, external_user_id, origin, name, tags, custom_fields, sms_opt_in,
                             created_at, updated_at, deactivated_at)
       SELECT $1, nextval('contact_ids'), 'u' || i, 'API', 'Kim ' || i, ARRAY['t' || i % 3],
              jsonb_build_object('grade', (ARRAY['gold', 'silver', 'tin'])[1 + i % 3], 'points', i::text,
                                 'birthday', to_char(date '1970-01-01' + i % 9000, 'YYYY-MM-DD')),
              i % 2 = 0, now(), now(), CASE WHEN i % 10 = 0 THEN now() END
         FROM generate_series(1, $2::integer) AS i`,
      [book.organizationId, count],
    );

  it('counts the contacts that an evaluation then finds, and stores nothing', async () => {
    await fill(60);
    const conditions: Given[][] = [
      [{ propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' }],
      [
        { propKey: 'custom.points', propOp: 'GT', propValue: 30 },
        { propKey: 'smsOptIn', propOp: 'EQ', propValue: true },
      ],
      [{ propKey: 'tags', propOp: 'IN', propValue: ['t1', 't2'] }],
      [{ propKey: 'createdAt', propOp: 'WITHIN_LAST_DAYS', propValue: 30 }],
      [{ propKey: 'activity.purchase.count', propOp: 'GTE', propValue: 1 }],
    ];
    const segments = new SegmentConsole(app, book);
    const before = await app.sql('SELECT count(*) FROM segments');
    const counts = [];
    for (const each of conditions) counts.push(await countOf(groups(...each)));
    expect(await app.sql('SELECT count(*) FROM segments')).toEqual(before);
    expect(counts.slice(0, 3)).toEqual([18, 12, 36]);
    for (const [i, each] of conditions.entries())
      expect(await segments.members(...each)).toHaveLength(counts[i] ?? -1);
    expect(
      await countOf([...GOLD, ...groups({ propKey: 'custom.grade', propOp: 'EQ', propValue: 'tin' })]),
    ).toBe(36);
  });

  it('counts 10,000 contacts, and offers values of the newest 10,000', async () => {
    await fill(10_000);
    await app.sql('ANALYZE contacts');
    const heavy = Array.from({ length: 5 }, () => ({
      conditions: [
        { propKey: 'custom.points', propOp: 'GTE', propValue: 100 },
        { propKey: 'custom.birthday', propOp: 'BEFORE_LAST_DAYS', propValue: 3650 },
        { propKey: 'name', propOp: 'CONTAINS', propValue: 'kim 9' },
        { propKey: 'activity.purchase.sum', propOp: 'EQ', propValue: 0 },
      ],
    }));
    expect(await countOf(heavy)).toBeGreaterThan(900);
    expect(await property('custom.grade')).toMatchObject({ values: ['gold', 'silver', 'tin'] });
  });

  it('ends a count that takes too long, also with an Idempotency-Key', async () => {
    await fill(3_000);
    const counts = app.get(SegmentCounts);
    const usual = counts.timeoutMs;
    counts.timeoutMs = 1;
    try {
      const conditions = Array.from({ length: 20 }, (_, i) => ({
        propKey: 'custom.birthday',
        propOp: 'GT',
        propValue: `19${60 + i}-01-01`,
      }));
      const conditionGroups = Array.from({ length: 20 }, () => ({ conditions }));
      expect(await countOf(conditionGroups)).toBeNull();
      const kept = await platform
        .post(`${book.consolePath}/segments/count`)
        .set('Idempotency-Key', 'count')
        .send({ conditionGroups })
        .expect(200);
      expect(kept.body).toEqual({ count: null });
    } finally {
      counts.timeoutMs = usual;
    }
    expect(await countOf(GOLD)).toBe(900);
  });

  it('lists fields, custom fields and metrics, with operators that are accepted', async () => {
    await saveContact(book, {
      externalUserId: 'kim',
      customFields: { grade: 'gold', note: 'x'.repeat(101) },
      tags: ['vip'],
    });
    await saveContact(book, {
      externalUserId: 'lee',
      customFields: { grade: 'silver' },
      tags: ['vip', 'new'],
      locale: 'ko-KR',
    });
    await app.sql(`INSERT INTO activity_metrics (organization_id, metric) VALUES ($1, 'review')`, [
      book.organizationId,
    ]);
    const listed = await properties();
    expect(new Set(listed.map(({ key }) => key)).size).toBe(listed.length);
    const find = (key: string) => listed.find((each) => each.key === key);
    expect(find('name')).toEqual({
      key: 'name',
      type: 'TEXT',
      operators: OPERATORS_OF.text,
      comparableTypes: ['TEXT', 'CUSTOM'],
      values: null,
    });
    expect(find('origin')?.values).toEqual(['API', 'SDK', 'CSV']);
    expect(find('tags')).toMatchObject({ type: 'LIST', comparableTypes: [], values: ['new', 'vip'] });
    expect(find('locale')?.values).toEqual(['ko-KR']);
    expect(find('pushIdentify')).toMatchObject({ type: 'ENCRYPTED', operators: ['EXISTS', 'NOT_EXISTS'] });
    expect(find('email')?.operators).toContain('CONTAINS');
    expect(find('custom.grade')).toMatchObject({ type: 'CUSTOM', values: ['gold', 'silver'] });
    expect(find('custom.note')).toMatchObject({ values: null });
    expect(find('activity.purchase.sum')).toMatchObject({ type: 'NUMBER' });
    expect(find('activity.review.last')).toMatchObject({ type: 'DATE' });
    // Every operator of every property can be counted with, given a fitting value.
    const sample: Record<string, unknown> = {
      TEXT: 'a',
      NUMBER: 1,
      BOOLEAN: true,
      DATE: '2026-01-01',
      LIST: '1',
      CUSTOM: '1',
    };
    for (const { key, type, operators } of listed) {
      for (const propOp of operators) {
        const single =
          key === 'phoneNumber'
            ? '+821012345678'
            : key === 'email'
              ? propOp === 'CONTAINS'
                ? '@a.test'
                : 'a@a.test'
              : sample[type];
        const propValue = propOp.endsWith('EXISTS')
          ? null
          : propOp.endsWith('DAYS')
            ? 7
            : propOp === 'IN'
              ? [single]
              : single;
        expect([key, propOp, typeof (await countOf(groups({ propKey: key, propOp, propValue })))]).toEqual([
          key,
          propOp,
          'number',
        ]);
      }
    }
  });

  it('lists at most 200 custom fields, and no values where there are more than 50', async () => {
    const set = (fields: string, contacts: number) =>
      app.sql(
        `INSERT INTO contacts (organization_id, id, origin, custom_fields, created_at, updated_at)
         SELECT $1, nextval('contact_ids'), 'API', ${fields}, now(), now() FROM generate_series(1, $2::integer) AS i`,
        [book.organizationId, contacts],
      );
    await set(`jsonb_build_object('few', (i % 50)::text, 'many', (i % 51)::text)`, 200);
    await set(`(SELECT jsonb_object_agg('k' || k, 'v') FROM generate_series(1, 250) AS k)`, 1);
    const custom = (await properties()).filter(({ type }) => type === 'CUSTOM');
    expect(custom).toHaveLength(200);
    const of = (key: string) => custom.find((each) => each.key === key);
    expect(of('custom.few')?.values).toHaveLength(50);
    expect(of('custom.many')?.values).toBeNull();
  });

  it('shows values of contacts to editors only, and counts for editors only', async () => {
    await saveContact(book, { externalUserId: 'kim', customFields: { grade: 'gold' }, tags: ['vip'] });
    const [viewer, editor] = [await userOf(app, book, 'VIEWER'), await userOf(app, book, 'EDITOR')];
    for (const key of ['custom.grade', 'tags']) {
      expect(await property(key, viewer)).toMatchObject({ key, values: null });
    }
    expect(JSON.stringify(await properties(viewer))).not.toMatch(/gold|vip/);
    expect((await property('custom.grade', editor))?.values).toEqual(['gold']);
    const count = (by: ApiClient) => by.post(`${book.consolePath}/segments/count`, { conditionGroups: GOLD });
    expect((await count(editor).expect(200)).body).toEqual({ count: 1 });
    expect((await count(viewer).expect(403)).body).toMatchObject({ code: 'ROLE_REQUIRED', role: 'EDITOR' });
  });

  it('knows only contacts of the organization', async () => {
    const other = await createBook(app);
    await saveContact(other, { externalUserId: 'kim', customFields: { grade: 'gold' }, tags: ['vip'] });
    expect(await countOf(GOLD)).toBe(0);
    expect(await property('custom.grade')).toBeUndefined();
    expect((await property('tags'))?.values).toBeNull();
  });
});
