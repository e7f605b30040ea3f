import { Waypost, WaypostError } from '@waypost/client';
import { type Credentials, credentials } from './credentials';
import { EXIT, Failure } from './exit';
import { VERSION } from './version';

export type Service = Waypost;

/** The service with the credentials of the environment or of `login`. */
export async function service(): Promise<Service> {
  return connectTo(await credentials());
}

export function connectTo({ url, apiKey }: Credentials): Service {
  return new Waypost({ baseUrl: url, apiKey, fetch: send });
}

function send(request: Request): Promise<Response> {
  request.headers.set('User-Agent', `waypost-cli/${VERSION}`);
  return fetch(request);
}

/** @throws WaypostError if the service cannot be reached, or does not know the key */
export async function checkKey(api: Service): Promise<void> {
  try {
    await api.links.listShortUrls({ size: 1 });
  } catch (error) {
    // The key is valid but lacks this scope.
    if (!hasCode(error, 'SCOPE_REQUIRED')) throw error;
  }
}

/** A link by its id, code or short URL. */
export async function findLink(api: Service, text: string) {
  if (isId(text)) return api.links.getShortUrl({ id: Number(text) });
  const matches = await named(
    api.links.listShortUrls({ keyword: text, archived: 'all' }),
    text,
    (link) => link.link,
  );
  return only('link', text, matches);
}

/** A campaign by its id, alias or URL. */
export async function findCampaign(api: Service, text: string) {
  if (isId(text)) return api.campaigns.getCampaign({ id: Number(text) });
  const matches = await named(
    api.campaigns.listCampaigns({ search: text, archived: 'all' }),
    text,
    ({ link }) => link,
  );
  return only('campaign', text, matches);
}

/** The id of a custom domain by its name. */
export async function domainId(api: Service, name: string): Promise<number> {
  if (isId(name)) return Number(name);
  for await (const domain of api.domains.listCustomDomains({ search: name })) {
    if (domain.domainName === name.toLowerCase()) return domain.id;
  }
  throw new Failure(`domain: there is no custom domain ${name}`);
}

/** The first of a list. */
export async function take<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
}

export function hasCode(error: unknown, code: WaypostError['code']): boolean {
  return error instanceof WaypostError && error.code === code;
}

/** Whether a retry is pointless. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof WaypostError)) return true;
  return error.status !== undefined && error.status < 500 && error.status !== 429;
}

const isId = (text: string) => /^[1-9]\d{0,15}$/.test(text);

/** Those of a search whose address, or its last part, is the text. */
async function named<T>(found: AsyncIterable<T>, text: string, addressOf: (item: T) => string): Promise<T[]> {
  const wanted = withoutScheme(text);
  const matches: T[] = [];
  for await (const item of found) {
    const address = withoutScheme(addressOf(item));
    if (address === wanted || address.endsWith(`/${wanted}`)) matches.push(item);
  }
  return matches;
}

const withoutScheme = (url: string) => url.replace(/^https?:\/\//i, '').replace(/\/$/, '');

function only<T>(what: string, text: string, matches: readonly T[]): T {
  const [match] = matches;
  if (match === undefined) throw new Failure(`${what}: there is no ${what} ${text}`);
  if (matches.length > 1) {
    throw new Failure(`${what}: ${text} exists on several domains. Use the whole URL or the id`, EXIT.usage);
  }
  return match;
}
