import type { OpenAPIObject } from '@nestjs/swagger';

/** Whom a part of the API is for. */
interface Audience {
  readonly name: string;
  readonly description: string;
  /** Groups of operations, by the name that controllers give them. */
  readonly tags: Readonly<Record<string, string>>;
}

/** In the order of the page. */
const AUDIENCES: readonly Audience[] = [
  {
    name: 'Service API',
    description: 'Your servers, with X-API-KEY',
    tags: {
      'Short links': 'Make, read, change and delete short links; their statistics and QR codes',
      Campaigns: 'Make, read, change and delete campaign links; their statistics by customer and tracker',
      Apps: 'Register mobile and web apps; their keys, their URL namespaces, their installs',
      Contacts: 'The address book; each contact is known by the member id that you give it',
      'Contact groups': 'Groups of the address book, and who is in them',
      'Custom domains': 'Domains of the organization that links and campaigns can be on',
      Unsubscribes: 'Opt-outs, and the feeds that keep other systems in step with them',
      Analytics: 'Revenue, conversions, visitors and events, added up by day',
    },
  },
  {
    name: 'Mobile SDK',
    description: 'Apps, or your server for them, with X-App-ID and X-Mobile-App-API-Key',
    tags: {
      'Mobile SDK: deep links': 'What an app is to show for the address or click that opened it',
      'Mobile SDK: clicks': 'Clicks that apps record themselves',
      'Mobile SDK: associations': 'Whose push token belongs to which link or campaign',
      'Mobile SDK: members': 'Who members are, and what they agree to',
      'Mobile SDK: custom domains': 'Domains of the organization of the app',
    },
  },
  {
    name: 'Web SDK',
    description: 'Pages in browsers, without a key',
    tags: {
      'Web SDK':
        'What pages in browsers call, without a key: fingerprints, visits of app stores, the version of the SDK',
    },
  },
  {
    name: 'Cross-platform',
    description: 'Your server for sites and apps alike, with X-App-ID and X-Mobile-App-API-Key',
    tags: {
      'Cross-platform: members': 'Who members are, what they agree to, and their withdrawal',
      'Cross-platform: sessions':
        'Sessions of people on sites and in apps, what leads to them and what they reach',
      'Cross-platform: statistics': "What an app's sessions, events and goals add up to",
    },
  },
  {
    name: 'Console',
    description: 'People who administer organizations, with a console token',
    tags: {
      'Console: login': 'Tokens for users',
      'Console: organizations': 'Tenants and their settings',
      'Console: users': 'Who belongs to an organization, and what they may do',
      'Console: API keys': 'Keys of the Service API',
      'Console: IP allow-list': 'Addresses from which an organization may be called',
      'Console: add-ons': 'What an organization has booked',
      'Console: unsubscribes': 'Opt-outs that come in otherwise, and links on which people opt out',
      'Console: audit log': 'Who changed what, when, and from which address',
      'Console: debug schemes': 'How pages tried to open the apps, for those who develop them',
      'Console: links': 'Settings of short links',
      'Console: apps': 'Settings and keys of apps',
      'Console: campaigns': 'Settings of campaigns',
      'Console: contacts': 'Block, export and erase contacts; the whole book as CSV',
      'Console: credits': 'The ledger of credits',
      'Console: segments': 'Segments of contacts',
      'Console: message sends': 'What was sent, for the billing usage',
      'Console: custom domains': 'Add, verify, revoke and delete domains',
      'Console: webhooks': 'Where webhooks go, their secrets, and the log of deliveries',
    },
  },
  {
    name: 'Operations',
    description: 'Those who run the service',
    tags: {
      Operations: 'Probes and metrics, for those who run the service',
    },
  },
];

/** Swagger UI knows no groups of tags, so the name says it; the filter finds it there too. */
function shownName(audience: string, tag: string): string {
  return audience === 'Service API' ? `Service: ${tag.charAt(0).toLowerCase()}${tag.slice(1)}` : tag;
}

/** Audiences with their tags as the document names them. */
export const TAG_GROUPS = AUDIENCES.map(({ name, description, tags }) => ({
  name,
  description,
  tags: Object.entries(tags).map(([given, text]) => ({
    given,
    name: shownName(name, given),
    description: text,
  })),
}));

/** Declares the tags, in their order and by audience (`x-tagGroups`), and names them in operations. */
export function addTags(document: OpenAPIObject): void {
  const tags = TAG_GROUPS.flatMap((group) => group.tags);
  document.tags = tags.map(({ name, description }) => ({ name, description }));
  Object.assign(document, {
    'x-tagGroups': TAG_GROUPS.map((group) => ({
      name: group.name,
      tags: group.tags.map(({ name }) => name),
    })),
  });
  const names = new Map(tags.map(({ given, name }) => [given, name]));
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { tags?: string[] }[]) {
      operation.tags = operation.tags?.map((tag) => names.get(tag) ?? tag);
    }
  }
}
