import {
  Waypost,
  WaypostBadRequest,
  WaypostConflict,
  WaypostError,
  WaypostForbidden,
  WaypostNotFound,
  WaypostUnauthorized,
} from '@waypost/client';
import { registerApp } from '../../../test/support/apps';
import { createBook } from '../../../test/support/contacts';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { OpenApi } from '../../../test/support/openapi';
import { useTestApp } from '../../../test/support/test-app';
import { useGateway } from './support/gateway';

const LAYERS = /^(Service|Mobile SDK|Cross-platform): /;

describe('The client', () => {
  const app = useTestApp();
  const gateway = useGateway(app);
  let org: TestOrganization;
  let waypost: Waypost;

  beforeAll(async () => {
    org = await createOrganization(app);
    waypost = gateway.get().client({ apiKey: org.apiKey });
  });

  const failure = async (call: PromiseLike<unknown>): Promise<WaypostError> => {
    const error: unknown = await Promise.resolve(call).catch((reason: unknown) => reason);
    if (error instanceof WaypostError) return error;
    throw new Error('The call did not fail', { cause: error });
  };

  it('has a method for each operation of the Service, Mobile SDK and cross-platform APIs, and for no other', async () => {
    const routes = (await OpenApi.of(app)).routes();
    const expected = routes
      .filter(({ tags }) => tags.some((tag) => LAYERS.test(tag)))
      .map(({ operationId }) => operationId);
    const groups = Object.values(waypost) as Record<string, unknown>[];
    const methods = groups.flatMap((group) => Object.keys(group)).filter((name) => name !== 'follow');
    expect(methods.sort()).toEqual(expected.sort());
    expect(methods.length).toBeGreaterThan(80);
  });

  it('creates, reads, changes and deletes a link', async () => {
    const link = await waypost.links.createShortUrl({
      url: 'https://shop.example.com/spring',
      customAlias: 'spring',
      tags: ['sale'],
    });
    expect(link).toMatchObject({ originalUrl: 'https://shop.example.com/spring', tags: ['sale'] });
    expect(await waypost.links.getShortUrl({ id: link.id })).toEqual(link);
    const changed = await waypost.links.updateShortUrl({ id: link.id, title: 'Spring' });
    expect(changed).toMatchObject({ id: link.id, title: 'Spring' });
    const bulk = await waypost.links.createShortUrls({ items: [{ url: 'https://shop.example.com/a' }] });
    expect(bulk).toMatchObject({ created: 1 });
    await waypost.links.deleteShortUrl({ id: link.id });
    await expect(waypost.links.getShortUrl({ id: link.id })).rejects.toThrow(WaypostNotFound);
  });

  it('sends parameters of path, query, header and body from one object', async () => {
    const saved = await waypost.links.saveShortUrlByExternalId({
      externalId: 'order/1 %',
      url: 'https://shop.example.com/1',
    });
    expect(await waypost.links.getShortUrlByExternalId({ externalId: 'order/1 %' })).toEqual(saved);
    let ifMatch = '';
    const onResponse = ({ headers }: Response) => (ifMatch = headers.get('ETag') ?? '');
    await waypost.links.getShortUrl({ id: saved.id }, { onResponse });
    await waypost.links.updateShortUrl({ id: saved.id, title: 'First', ifMatch });
    const stale = waypost.links.updateShortUrl({ id: saved.id, title: 'Second', ifMatch });
    expect(await failure(stale)).toMatchObject({ code: 'EDIT_CONFLICT', body: { stored: { id: saved.id } } });
    const tagged = await waypost.analytics.getClickAnalytics({ tag: ['a', 'b'], groupBy: 'country' });
    expect(tagged).toMatchObject({ groups: [] });

    const book = await createBook(app);
    const { contacts } = gateway.get().client({ apiKey: book.apiKey });
    const answer = await contacts.saveContacts({ items: [{ externalUserId: 'member-1' }], returnIds: true });
    expect(answer).toMatchObject({ items: [{ externalUserId: 'member-1', action: 'created' }] });
  });

  it('reports errors by class and code', async () => {
    const { links } = waypost;
    await links.createShortUrl({ url: 'https://shop.example.com/', customAlias: 'taken' });
    const taken = await failure(links.createShortUrl({ url: 'https://a.example/', customAlias: 'taken' }));
    expect(taken).toBeInstanceOf(WaypostConflict);
    expect(taken).toMatchObject({
      name: 'WaypostConflict',
      status: 409,
      code: 'ALIAS_TAKEN',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      details: [{ field: 'customAlias', message: 'is already taken on this domain' }],
    });
    const wrong = await failure(links.createShortUrl({ url: 'ftp://a.example/' }));
    expect(wrong).toBeInstanceOf(WaypostBadRequest);
    expect(wrong).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'url' }] });
    const stranger = gateway.get().client({ apiKey: 'wp_sk_nobody' });
    expect(await failure(stranger.links.listShortUrls())).toBeInstanceOf(WaypostUnauthorized);
    const reader = await createOrganization(app, { role: 'VIEWER' });
    const refused = gateway.get().client({ apiKey: reader.apiKey }).links.createShortUrl({
      url: 'https://a.example/',
    });
    expect(await failure(refused)).toBeInstanceOf(WaypostForbidden);
  });

  it('acts for an app', async () => {
    const { id, apiKey: key } = await registerApp(org, { platform: 'Android' });
    const shop = gateway.get().client({ app: { id, key } });
    const session = await shop.sessions.createSession({ platform: 'WEB' });
    expect(await shop.sessions.getSession({ sessionId: session.sessionId })).toMatchObject({
      sessionId: session.sessionId,
    });
    const wrong = gateway.get().client({ app: { id, key: 'wp_app_nobody' } });
    const error = await failure(wrong.sessions.getSession({ sessionId: session.sessionId }));
    expect(error).toMatchObject({ name: 'WaypostUnauthorized', status: 401, code: 'API_KEY_INVALID' });
  });

  it('names what it lacks before it calls', async () => {
    expect(() => new Waypost({ baseUrl: 'https://waypost.example.com' })).toThrow('apiKey');
    expect(() => new Waypost({ baseUrl: 'waypost.example.com', apiKey: 'k' })).toThrow();
    expect(() => gateway.get().client({ apiKey: 'a\nb' })).toThrow();
    await expect(waypost.sessions.getSession({ sessionId: 'a' })).rejects.toThrow('option app');
    await expect(waypost.contacts.getContactByExternalId({ externalUserId: '..' })).rejects.toThrow(
      'externalUserId must not be ..',
    );
  });
});
