/** A page of the console to measure. */
export interface ConsolePage {
  name: string;
  /** Below `/console`. */
  path: string;
  /** Selector of what people come for. */
  content: string;
}

const ROWS = 'main tbody tr';
const CHART = 'main canvas';

/** Pages of lists, statistics and single resources, which exist in the organization. */
export function consolePages(ids: {
  link: number;
  campaign: number;
  contact: number;
  tag: string;
}): ConsolePage[] {
  const page = (name: string, path: string, content: string): ConsolePage => ({ name, path, content });
  const settings = (tab: string, content: string) =>
    page(`settings, ${tab}`, `/settings?tab=${tab}`, `main ${content}`);
  return [
    page('overview', '/', CHART),
    page('overview, statistics', '/?tab=statistics', CHART),
    page('links', '/links', ROWS),
    page('links by clicks', '/links?sort=clickCount,desc', ROWS),
    page('links with a tag', `/links?tags=${encodeURIComponent(ids.tag)}`, ROWS),
    page('a link, statistics', `/links/${ids.link}`, CHART),
    page('a link, recent clicks', `/links/${ids.link}?tab=recentClicks`, ROWS),
    page('a link, settings', `/links/${ids.link}?tab=settings`, 'main [role=tabpanel]'),
    page('a link, QR code', `/links/${ids.link}?tab=qr`, 'main [role=tabpanel] :is(img, svg)'),
    page('campaigns', '/campaigns', ROWS),
    page('a campaign', `/campaigns/${ids.campaign}`, CHART),
    page('journeys', '/journeys', 'main [role=tabpanel]'),
    page('journeys, revenue', '/journeys?tab=revenue', 'main [role=tabpanel]'),
    page('contacts', '/contacts', ROWS),
    page('a contact', `/contacts/${ids.contact}`, 'main h2'),
    page('segments', '/segments', 'main a[href*="/segments/"]'),
    page('opt-outs', '/opt-outs', ROWS),
    page('apps', '/apps', 'main a[href*="/apps/"]'),
    page('domains', '/domains', 'main a[href*="/domains/"]'),
    page('tester', '/tester', 'main input'),
    page('webhooks', '/webhooks', 'main a[href*="/webhooks/"]'),
    settings('account', 'form'),
    settings('organization', 'form'),
    settings('users', 'tbody tr'),
    settings('keys', 'tbody tr'),
    settings('allowList', '[role=tabpanel]'),
    settings('audit', 'tbody tr'),
  ];
}
