import type { Page } from 'playwright-core';
import type { SegmentResponse as Segment } from '../../src/modules/segments/segments.dto';
import { seriousFindings, settled, toast, useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';

describe('segments in the console', () => {
  const console = useTestConsole({ defaultRegion: 'KR' });

  const path = (below = '') => `${console.organization.consolePath}${below}`;
  const create = (name: string, conditions: object[]): Promise<Segment> =>
    console.platform.create<Segment>(path('/segments'), {
      name,
      conditionGroups: [{ conditions }],
    });
  const read = (id: number): Promise<Segment> => console.platform.read<Segment>(path(`/segments/${id}`));
  const pick = async (page: Page, group: string, at: number, field: string, option: string) => {
    const box = page.getByRole('group', { name: group }).getByRole('combobox', { name: field }).nth(at);
    await box.click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  beforeAll(async () => {
    for (const [at, grade] of ['gold', 'gold', 'silver', 'bronze'].entries()) {
      const externalUserId = `member-${at}`;
      const customFields = { grade, points: String(at * 100) };
      await console.platform
        .post(path('/messaging/contacts'), {
          externalUserId,
          name: `Member ${at}`,
          smsOptIn: at === 3,
          customFields,
        })
        .expect(201);
    }
  });

  it('says what to do first, counts while conditions are built, and creates', async () => {
    const { page } = await console.open('/segments');
    await page.getByText('No segment yet').waitFor();
    await page.getByRole('button', { name: 'Create segment' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Complete the conditions to have them counted.').waitFor();
    await pick(page, 'Group 1', 0, 'Property', 'grade');
    await panel.getByRole('combobox', { name: 'Value' }).fill('gold');
    await panel.getByText('2 contacts meet the conditions now').waitFor();
    await panel.getByRole('button', { name: 'Add condition' }).click();
    await pick(page, 'Group 1', 1, 'Property', 'points');
    await pick(page, 'Group 1', 1, 'Operator', 'is at least');
    const points = panel.getByRole('combobox', { name: 'Value' }).nth(1);
    await points.fill('many');
    await panel.getByText(/must be a number/).waitFor();
    await points.fill('100');
    await panel.getByText('1 contact meets the conditions now').waitFor();
    await panel.getByRole('button', { name: 'Add group (or)' }).click();
    await pick(page, 'Group 2', 0, 'Property', 'Consent: text message');
    await panel.getByText('2 contacts meet the conditions now').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await panel.getByRole('button', { name: 'Create segment' }).click();
    await panel.getByText(/must/).first().waitFor();
    await panel.getByRole('textbox', { name: 'Name' }).fill('Gold with points, or SMS');
    await panel.getByRole('button', { name: 'Create segment' }).click();
    await page.waitForURL(/\/segments\/\d+$/);
    const id = Number(/\d+$/.exec(page.url())?.[0]);
    expect(await read(id)).toMatchObject({
      name: 'Gold with points, or SMS',
      memberCount: 2,
      conditionGroups: [
        {
          conditions: [
            { propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' },
            { propKey: 'custom.points', propOp: 'GTE', propValue: '100' },
          ],
        },
        { conditions: [{ propKey: 'smsOptIn', propOp: 'EQ', propValue: true }] },
      ],
    });
  });

  it('evaluates, edits and deletes', async () => {
    const { id } = await create('Golden', [{ propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' }]);
    const { page } = await console.open(`/segments/${id}`);
    await page.getByText('Not evaluated yet').waitFor();
    await page.getByRole('button', { name: 'Evaluate now' }).click();
    await toast(page, 'Evaluated: 2 members');
    expect((await read(id)).memberCount).toBe(2);
    await page.getByRole('button', { name: 'Edit' }).click();
    await pick(page, 'Group 1', 0, 'Operator', 'is one of');
    await page.getByRole('combobox', { name: 'Values' }).fill('silver');
    await page.keyboard.press('Enter');
    await page.getByText('3 contacts meet the conditions now').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('gold, silver').waitFor();
    expect((await read(id)).conditionGroups[0]?.conditions[0]).toMatchObject({
      propOp: 'IN',
      propValue: ['gold', 'silver'],
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Golden');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/segments$/);
    await console.platform.get(path(`/segments/${id}`)).expect(404);
  });

  it('keeps conditions of every kind when they are opened and saved', async () => {
    const conditions = [
      { propKey: 'id', propOp: 'GTE', propValue: 1 },
      { propKey: 'blocked', propOp: 'EQ', propValue: false },
      { propKey: 'createdAt', propOp: 'WITHIN_LAST_DAYS', propValue: 7 },
      { propKey: 'updatedAt', propOp: 'GTE', propValue: '2026-01-02T03:04:05' },
      { propKey: 'id', propOp: 'IN', propValue: [1, 2] },
      { propKey: 'updatedAt', propOp: 'GTE', compareKey: 'createdAt' },
      { propKey: 'custom.unknown', propOp: 'NOT_EXISTS' },
      { propKey: 'tags', propOp: 'CONTAINS', propValue: '1' },
    ];
    const before = await create('All kinds', conditions);
    const { page } = await console.open(`/segments/${before.id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page
      .getByRole('dialog')
      .getByText(/meets? the conditions now/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Description' }).fill('Changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved');
    expect((await read(before.id)).conditionGroups).toEqual(before.conditionGroups);
  });

  it('is built by keyboard alone', async () => {
    const { page } = await console.open('/segments');
    const add = page.getByRole('button', { name: 'Create segment' }).first();
    await add.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await settled(page);
    await page.keyboard.type('By keyboard');
    const tab = async (times: number) => {
      for (let press = 0; press < times; press++) await page.keyboard.press('Tab');
    };
    await tab(3);
    await page.keyboard.type('grade');
    const options = page.getByRole('option', { name: 'grade' });
    await eventually(async () => expect(await options.count()).toBe(1));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tab(2);
    await page.keyboard.type('gold');
    await page.getByText('2 contacts meet the conditions now').waitFor();
    // Enter ends a value, and creates nothing yet.
    await page.keyboard.press('Enter');
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create segment' });
    for (let presses = 0; presses < 20; presses++) {
      if (await create.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    expect(page.url()).not.toMatch(/\/segments\/\d+$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/segments\/\d+$/);
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    const { id } = await create('Golden regulars', [
      { propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' },
      { propKey: 'createdAt', propOp: 'WITHIN_LAST_DAYS', propValue: 30 },
    ]);
    await console.inspect({ '/segments': 'table', [`/segments/${id}`]: 'h2' });
  });
});
