import { type Looked, TestBrowser } from '../support/browser';
import { eventually } from '../support/eventually';
import { API_HOST, useTestApp } from '../support/test-app';

describe('the page of the API in a browser', () => {
  const app = useTestApp();
  let browser: TestBrowser;
  let looked: Looked;

  beforeAll(async () => {
    browser = await TestBrowser.start(app);
    looked = await browser.look('desktop');
    await looked.page.goto(`http://${API_HOST}/api/docs`);
    await looked.page.waitForSelector('.opblock-tag');
  });
  afterAll(async () => {
    await looked.context.close();
    await browser.close();
  });

  const shown = (selector: string) => looked.page.locator(selector).allInnerTexts();
  const groups = () =>
    looked.page
      .locator('.opblock-tag')
      .evaluateAll((tags) => tags.map((tag) => tag.getAttribute('data-tag')));

  it('shows groups by audience, and no operation before one is opened', async () => {
    expect(await shown('.opblock-tag-section .opblock')).toEqual([]);
    const all = await groups();
    expect(all[0]).toBe('Service: short links');
    expect(all.length).toBeGreaterThan(30);
    const headings = await looked.page.evaluate<string[]>(
      `[...document.querySelectorAll('.opblock-tag-section')].map((each) => getComputedStyle(each, '::before').content)`,
    );
    expect(headings.filter((content) => content !== 'none' && content !== 'normal')).toEqual(
      ['Service API', 'Mobile SDK', 'Web SDK', 'Cross-platform', 'Console', 'Operations'].map((name) =>
        expect.stringContaining(name),
      ),
    );
    expect(looked.complaints).toEqual([]);
  });

  it.each([
    ['urls/import', ['Service: short links', 'Console: short links']],
    ['IMPORTCONTACTS', ['Service: contacts']],
    ['rotate', ['Service: webhooks', 'Console: webhooks']],
    ['Service: camp', ['Service: campaigns']],
    ['nothing at all', []],
  ])('finds %s', async (text, found) => {
    await looked.page.fill('.operation-filter-input', text);
    await eventually(async () => expect(await groups()).toEqual(found));
    await looked.page.fill('.operation-filter-input', '');
    await eventually(async () => expect((await groups()).length).toBeGreaterThan(30));
  });

  it('opens a group with its operations', async () => {
    await looked.page.click('.opblock-tag[data-tag="Operations"]');
    await eventually(async () => expect(await shown('.opblock-summary-path')).toContain('/health/live'));
  });

  it('shows an operation with the components that it refers to', async () => {
    await looked.page.click('.opblock-tag[data-tag="Service: campaigns"]');
    await looked.page.click('[id$="createCampaign"] .opblock-summary-control');
    const operation = looked.page.locator('[id$="createCampaign"] .opblock-body');
    expect(await operation.locator('.response[data-code="201"] .highlight-code').innerText()).toContain(
      '"createdAt"',
    );
    expect(await operation.innerText()).not.toContain('$ref');
    expect(looked.complaints).toEqual([]);
  });

  it('shows the document of one audience when it is chosen', async () => {
    await looked.page.selectOption('#select', { label: 'Waypost SDK and cross-platform APIs' });
    await looked.page.waitForSelector('.opblock-tag[data-tag="Web SDK"]');
    await eventually(async () => expect((await groups()).length).toBeLessThan(12));
    expect((await groups())[0]).toBe('Mobile SDK: deep links');
  });
});
