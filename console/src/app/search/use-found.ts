import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../api/client';
import { mayCall } from '../../api/may';
import { me } from '../../api/session';
import { useStore } from '../../api/store';
import { pages } from '../../pages';
import { nameOf as nameOfContact } from '../../pages/contacts/contact';
import { addressOf, nameOf } from '../../pages/links/link';
import { SETTINGS } from '../../pages/settings/tabs';
import { settingsTexts } from '../../pages/settings/texts';
import { menuTexts } from '../../texts/menu';
import { useTexts } from '../../texts/texts';

export interface Found {
  readonly key: string;
  readonly name: string;
  readonly detail?: string;
  readonly to: string;
}

export interface FoundGroup {
  readonly name: 'links' | 'campaigns' | 'contacts' | 'apps' | 'segments' | 'domains' | 'pages' | 'settings';
  readonly found: readonly Found[];
}

const EACH = 5;
const MANY = 100;

/** What the text is found in, by kind, as far as the user may see it. */
export function useFound(text: string): { groups: readonly FoundGroup[]; busy: boolean } {
  const m = useTexts(menuTexts);
  const s = useTexts(settingsTexts);
  const user = useStore(me);
  const asked = text !== '';
  const few = { size: EACH };
  const many = { params: { query: { size: MANY } } };
  const options = { placeholderData: keepPreviousData, retry: false };
  const links = api.useQuery(
    'get',
    '/urls',
    { params: { query: { ...few, search: text } } },
    { ...options, enabled: asked && mayCall(user, 'listOrganizationShortUrls') },
  );
  const campaigns = api.useQuery(
    'get',
    '/campaigns',
    { params: { query: { ...few, search: text } } },
    { ...options, enabled: asked && mayCall(user, 'listOrganizationCampaigns') },
  );
  const contacts = api.useQuery(
    'get',
    '/messaging/contacts',
    { params: { query: { ...few, keyword: text } } },
    { ...options, enabled: asked && mayCall(user, 'listOrganizationContacts') },
  );
  const apps = api.useQuery('get', '/mobile-apps', many, {
    ...options,
    enabled: asked && mayCall(user, 'listOrganizationApps'),
  });
  const segments = api.useQuery('get', '/segments', many, {
    ...options,
    enabled: asked && mayCall(user, 'listOrganizationSegments'),
  });
  const domains = api.useQuery('get', '/custom-domains', many, {
    ...options,
    enabled: asked && mayCall(user, 'listOrganizationCustomDomains'),
  });
  const has = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  const named = (found: readonly Found[]) => found.filter(({ name }) => has(name)).slice(0, EACH);
  const shown = asked ? (fetched: readonly Found[] | undefined) => fetched ?? [] : () => [];
  const groups: FoundGroup[] = [
    {
      name: 'links',
      found: shown(
        links.data?.content.map((link) => ({
          key: `link ${link.id}`,
          name: nameOf(link),
          detail: addressOf(link),
          to: `/links/${link.id}`,
        })),
      ),
    },
    {
      name: 'campaigns',
      found: shown(
        campaigns.data?.content.map((campaign) => ({
          key: `campaign ${campaign.id}`,
          name: campaign.name,
          detail: addressOf(campaign),
          to: `/campaigns/${campaign.id}`,
        })),
      ),
    },
    {
      name: 'contacts',
      found: shown(
        contacts.data?.content.map((contact) => ({
          key: `contact ${contact.id}`,
          name: nameOfContact(contact),
          detail: contact.phoneNumber ?? contact.email ?? '',
          to: `/contacts/${contact.id}`,
        })),
      ),
    },
    {
      name: 'apps',
      found: named(
        shown(
          apps.data?.content.map(({ id, appName, platform }) => ({
            key: `app ${id}`,
            name: appName,
            detail: platform,
            to: `/apps/${id}`,
          })),
        ),
      ),
    },
    {
      name: 'segments',
      found: named(
        shown(
          segments.data?.content.map(({ id, name }) => ({
            key: `segment ${id}`,
            name,
            to: `/segments/${id}`,
          })),
        ),
      ),
    },
    {
      name: 'domains',
      found: named(
        shown(
          domains.data?.content.map(({ id, domainName }) => ({
            key: `domain ${id}`,
            name: domainName,
            to: `/domains/${id}`,
          })),
        ),
      ),
    },
    {
      name: 'pages',
      found: pages
        .flatMap(({ to, options: { staticData } }): Found[] => {
          const { menu, needs } = staticData ?? {};
          if (!menu || (needs && !mayCall(user, needs))) return [];
          return [{ key: `page ${to}`, name: m(menu.label), to }];
        })
        .filter(({ name }) => has(name)),
    },
    {
      name: 'settings',
      found: asked
        ? SETTINGS.filter(({ name, needs }) => mayCall(user, needs) && has(s(name))).map(({ name }) => ({
            key: `settings ${name}`,
            name: s(name),
            to: `/settings?tab=${name}`,
          }))
        : [],
    },
  ];
  const busy = [links, campaigns, contacts, apps, segments, domains].some(({ isFetching }) => isFetching);
  return { groups: groups.filter(({ found }) => found.length > 0), busy };
}
