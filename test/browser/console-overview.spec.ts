import type { Page } from 'playwright-core';
import { LiveClicks } from '../../src/modules/click-statistics/live/live-clicks';
import type { LiveListener } from '../../src/modules/click-statistics/live/live-listener';
import { createCampaign } from '../support/campaigns';
import { useTestConsole } from '../support/console';
import { eventually } from '../support/eventually';
import { codeOf, createLink } from '../support/links';
import { CHROME, GALAXY, IPHONE, visit } from '../support/visits';

describe('the overview of the console', () => {
  const console = useTestConsole();
  const clicked = (path: string, userAgent = CHROME, headers: Record<string, string> = {}) =>
    visit(console.app, path, { userAgent, headers }).expect(302);
  /** Ends the streams of live clicks, as the service does after five minutes. */
  const endStreams = () => {
    expect(listeners.size).toBeGreaterThan(0);
    for (const listener of listeners) console.app.get(LiveClicks).end(listener);
    listeners.clear();
  };
  const listeners = new Set<LiveListener>();
  beforeAll(() => {
    const live = console.app.get(LiveClicks);
    const add = live.add.bind(live);
    jest.spyOn(live, 'add').mockImplementation((listener) => {
      listeners.add(listener);
      add(listener);
    });
  });
  const section = (page: Page, name: string) => page.getByRole('region', { name });
  const live = (page: Page) => section(page, 'Live clicks').getByRole('listitem');

  it('says what to do first in an empty organization', async () => {
    const { page } = await console.open('/');
    const steps = section(page, 'First steps');
    await steps.getByText('0 of 4 done').waitFor();
    for (const step of ['Add a domain', 'Add an app', 'Add a webhook'])
      await steps.getByRole('link', { name: step }).waitFor();
    await section(page, 'Needs attention').getByText('Nothing needs attention.').waitFor();
    await console.inspect({ '/': 'section' });
    await steps.getByRole('link', { name: 'Make a link' }).click();
    await page.getByRole('dialog', { name: 'Create link' }).waitFor();
  });

  it('shows clicks as they come, pauses, and connects again', async () => {
    const link = await createLink(console.organization, { title: '<img src=x onerror=alert(1)>' });
    const campaign = await createCampaign(console.organization, { name: 'Autumn sale' });
    const { page } = await console.open('/');
    await page.getByText('Clicks appear as they come.').waitFor();
    await clicked(`/${codeOf(link)}`, IPHONE, { Referer: 'https://news.example/' });
    await live(page).filter({ hasText: 'iOS' }).filter({ hasText: 'news.example' }).waitFor();
    await live(page).getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await clicked(`/c/${campaign.alias}/poster`, GALAXY);
    await page.getByText('1 click since the pause').waitFor();
    expect(await live(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Go on' }).click();
    await live(page).filter({ hasText: 'poster' }).getByRole('link', { name: 'Autumn sale' }).waitFor();
    endStreams();
    await clicked(`/${codeOf(link)}`);
    await eventually(async () => expect(await live(page).count()).toBe(3));
  });

  it('asks to sign in when the session ends during live clicks, which then go on', async () => {
    const { organization, app } = console;
    const link = await createLink(organization, { title: 'Before and after' });
    const { page } = await console.open('/');
    const shown = live(page).getByRole('link', { name: 'Before and after' });
    await section(page, 'Live clicks').getByText('Clicks appear as they come.').waitFor();
    await clicked(`/${codeOf(link)}`);
    await shown.waitFor();
    await app.sql('DELETE FROM console_sessions WHERE user_id = $1', [organization.userId]);
    endStreams();
    const signIn = page.getByRole('dialog', { name: /session has ended/ });
    await signIn.getByRole('textbox', { name: 'User name' }).fill(organization.username);
    await clicked(`/${codeOf(link)}`);
    await signIn.getByRole('textbox', { name: 'Password' }).fill(organization.password);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.waitFor({ state: 'hidden' });
    // None is lost, none comes twice.
    await eventually(async () => expect(await shown.count()).toBe(2));
    await clicked(`/${codeOf(link)}`);
    await eventually(async () => expect(await shown.count()).toBe(3));
    expect(new URL(page.url()).pathname).toBe('/console/');
  });

  it('shows the figures of today and of 30 days, and leads to links, campaigns and statistics', async () => {
    const clicks = `${console.organization.consolePath}/analytics/clicks`;
    await eventually(async () =>
      expect((await console.platform.read<{ total: number }>(clicks)).total).toBeGreaterThan(2),
    );
    const { page } = await console.open('/');
    await page.getByText('Clicks today').waitFor();
    await section(page, 'Top links').getByRole('button').filter({ hasText: '<img' }).waitFor();
    await section(page, 'Top campaigns').getByRole('button').filter({ hasText: 'Autumn sale' }).click();
    await page.waitForURL(/\/campaigns\/\d+$/);
    await page.goBack();
    await section(page, 'Top links').getByRole('button').filter({ hasText: '<img' }).click();
    await page.waitForURL(/\/links\/\d+$/);
    await page.goBack();
    await page.getByRole('tab', { name: 'Statistics' }).click();
    await section(page, 'Over time').waitFor();
    expect(page.url()).toContain('tab=statistics');
  });

  it('leads from what needs attention to the page with its filter', async () => {
    for (let index = 0; index < 6; index++) {
      const campaign = await createCampaign(console.organization, { name: `Broken ${index}` });
      await fall(2, campaign.id);
    }
    const link = await createLink(console.organization, { title: 'Broken link' });
    await fall(1, link.id);
    const { page } = await console.open('/');
    const attention = section(page, 'Needs attention');
    await attention.getByRole('link', { name: 'Broken link' }).click();
    await page.waitForURL(new RegExp(`/links/${link.id}$`));
    await page.goBack();
    await attention.getByRole('link', { name: 'Show all: Campaigns' }).click();
    await page.waitForURL(/\/campaigns\?health=unhealthy$/);
    await page.getByRole('link', { name: 'Broken 0' }).waitFor();
    expect(await page.getByRole('link', { name: 'Autumn sale' }).count()).toBe(0);
  });

  it('shows a VIEWER no step that they may not take', async () => {
    const as = await console.user('VIEWER');
    const { page } = await console.open('/', { as });
    await page.getByText('Clicks today').waitFor();
    expect(await section(page, 'First steps').count()).toBe(0);
  });

  it('is readable in both languages, on a phone, in light and dark', async () => {
    await console.inspect({ '/': 'canvas' });
  });

  const fall = (kind: 1 | 2, id: number) =>
    console.app.sql(
      `UPDATE link_health SET status = 'unhealthy', problem = 'NOT_FOUND', unhealthy_since = now()
        WHERE kind = $1 AND tracked_link_id = $2`,
      [kind, id],
    );
});
