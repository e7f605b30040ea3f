import type { OpenAPIObject } from '@nestjs/swagger';

interface Audience {
  readonly name: string;
  readonly description: string;
  /** Descriptions of its tags, by the names that controllers use. */
  readonly tags: Readonly<Record<string, string>>;
}

/** In display order. */
const AUDIENCES: readonly Audience[] = [
  {
    name: 'Service API',
    description: 'Your servers, with X-API-KEY',
    tags: {
      'Short links': 'Create, read, update and delete short links; their statistics and QR codes',
      'QR codes': 'The logo and the presets of QR codes',
      Campaigns: 'Create, read, update and delete campaign links; their statistics by customer and tracker',
      Apps: 'Register mobile and web apps; their keys, URL namespaces and installs',
      Contacts: 'The address book, in which contacts are identified by your member ids',
      'Contact groups': 'Groups of the address book and their members',
      'Custom domains':
        'Domains of the organization for links and campaigns: add, verify, revoke and delete them',
      Segments: 'Sets of contacts by their conditions: create, change, evaluate and delete them',
      Unsubscribes: 'Opt-outs, their import, opt-out pages, and feeds that keep other systems in sync',
      Analytics: 'Revenue, conversions, visitors and events by day',
      Sessions: 'Sessions of all apps, and the path of a person',
      Webhooks: 'Endpoints, their secrets, and the delivery log',
      Overview: 'What needs attention, what is in use, and the limits',
    },
  },
  {
    name: 'Mobile SDK',
    description: 'Apps, or your server on their behalf, with X-App-ID and X-Mobile-App-API-Key',
    tags: {
      'Mobile SDK: deep links': 'What an app shows for the address or click that opened it',
      'Mobile SDK: clicks': 'Clicks recorded by apps',
      'Mobile SDK: associations': 'Associations of push tokens with links and campaigns',
      'Mobile SDK: members': 'Members and their consents',
      'Mobile SDK: custom domains': "Domains of the app's organization",
    },
  },
  {
    name: 'Web SDK',
    description: 'Web pages in browsers, without a key',
    tags: {
      'Web SDK': 'Calls from web pages, without a key: fingerprints, app store visits, the SDK version',
    },
  },
  {
    name: 'Cross-platform',
    description: 'Apps and sites, or your server on their behalf, with X-App-ID and X-Mobile-App-API-Key',
    tags: {
      'Cross-platform: members': 'Members, their consents and their withdrawal',
      'Cross-platform: sessions': 'Sessions on sites and in apps, their sources and goals',
      'Cross-platform: statistics': "Totals of an app's sessions, events and goals",
    },
  },
  {
    name: 'Console',
    description: 'Users of an organization and the platform, with a console token',
    tags: {
      'Console: login': 'Signing in, sessions, and the own account',
      'Console: organizations': 'Tenants and their settings',
      'Console: users': 'Users of an organization and their permissions',
      'Console: invitations': 'Links that let people into an organization',
      'Console: API keys': 'Keys of the Service API',
      'Console: IP allow-list': 'Addresses that may call the Service API',
      'Console: add-ons': 'Add-ons booked by an organization',
      'Console: audit log': 'Who changed what, when, and from which address',
      'Console: debug schemes': 'How pages tried to open apps that nobody has registered',
      'Console: links':
        'Settings of short links, aliases, tags, changes of many links, previews of destinations, and disabling links',
      'Console: apps': 'Register mobile and web apps; their keys, URL namespaces, installs, and settings',
      'Console: campaigns': 'Settings of campaigns',
      'Console: credits': 'The credit ledger',
      'Console: message sends': 'Sent messages, for the billing usage',
    },
  },
  {
    name: 'Operations',
    description: 'Operators of the service',
    tags: {
      Operations: 'Probes and metrics for operators',
    },
  },
];

/** The audience is part of the name, because Swagger UI has no tag groups and filters by name. */
function displayName(audience: string, tag: string): string {
  return audience === 'Service API' ? `Service: ${tag.charAt(0).toLowerCase()}${tag.slice(1)}` : tag;
}

/** The tag of a Service API operation in the console, such as `Console: short links`. */
export function consoleTag(tag: string): string {
  return `Console: ${tag.charAt(0).toLowerCase()}${tag.slice(1)}`;
}

/** Tags of the console: its own, and those of the Service API. */
function consoleTags(own: Audience['tags']): Audience['tags'] {
  const service = AUDIENCES.find(({ name }) => name === 'Service API')?.tags ?? {};
  const copies = Object.entries(service).map(([tag, text]) => [consoleTag(tag), text] as const);
  return { ...Object.fromEntries(copies), ...own };
}

/** Audiences with the tags as named in the document. */
export const TAG_GROUPS = AUDIENCES.map(({ name, description, tags }) => ({
  name,
  description,
  tags: Object.entries(name === 'Console' ? consoleTags(tags) : tags).map(([given, text]) => ({
    given,
    name: displayName(name, given),
    description: text,
  })),
}));

/** Renames the tags of operations, and declares them. */
export function addTags(document: OpenAPIObject): void {
  const names = new Map(TAG_GROUPS.flatMap(({ tags }) => tags).map(({ given, name }) => [given, name]));
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { tags?: string[] }[]) {
      operation.tags = operation.tags?.map((tag) => names.get(tag) ?? tag);
    }
  }
  declareTags(document, new Set(names.values()));
}

/** Declares these tags in order, grouped by audience (`x-tagGroups`). */
export function declareTags(document: OpenAPIObject, used: ReadonlySet<string>): void {
  const groups = TAG_GROUPS.map(({ name, tags }) => ({
    name,
    tags: tags.filter((tag) => used.has(tag.name)),
  }));
  document.tags = groups.flatMap(({ tags }) => tags.map(({ name, description }) => ({ name, description })));
  const named = groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) }));
  Object.assign(document, { 'x-tagGroups': named.filter(({ tags }) => tags.length > 0) });
}
