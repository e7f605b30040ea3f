import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_NAMES } from '../../src/modules/webhooks/outbox/outbox-event';
import { RECEIVERS, receiverSource, TEST_VECTOR } from '../../src/modules/webhooks/deliveries/receivers';
import { OpenApi } from '../support/openapi';
import { judge, LANGUAGES, needLanguage, type Received } from '../support/receivers';
import { oneByteOff } from '../support/signatures';
import { strictly } from '../support/strict-schema';
import { perSuite, useTestApp } from '../support/test-app';

const HEADERS = ['X-Signature-256', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'User-Agent'];

const GUIDE = readFileSync(join(__dirname, '../../docs/webhooks.md'), 'utf8');

describe('the webhooks section of the OpenAPI document', () => {
  const app = useTestApp();
  const api = perSuite(() => OpenApi.of(app));

  const exampleOf = (event: string) => {
    const content = api.document.webhooks[event]?.post.requestBody?.content?.['application/json'];
    return (content as { example?: { event: string; data: object } }).example;
  };

  it('has exactly the existing events', () => {
    expect(Object.keys(api.document.webhooks)).toEqual([...EVENT_NAMES]);
  });

  it.each(EVENT_NAMES)('describes %s: when, headers, every field, an example', (name) => {
    const operation = api.document.webhooks[name]?.post;
    expect(operation?.summary).toBeTruthy();
    expect(operation?.description).toBeTruthy();
    const headers = (operation?.parameters ?? []).map((parameter) => api.resolve(parameter));
    expect(headers.map((header) => [header.name, header.in, header.required])).toEqual(
      HEADERS.map((header) => [header, 'header', true]),
    );
    for (const header of headers)
      expect(header).toMatchObject({ description: expect.any(String), example: expect.any(String) });
    const schema = api.deliveryOf(name);
    expect(Object.keys(schema.properties ?? {}).sort()).toEqual(
      ['created_at', 'data', 'delivery_id', 'event', 'organization_id'].sort(),
    );
    const example = exampleOf(name);
    expect(example?.event).toBe(name);
    const problemsOf = strictly(api, schema);
    expect(problemsOf(example)).toEqual([]);
    expect(problemsOf({ ...example, data: { ...example?.data, more: 1 } })).toHaveLength(1);
    expect(problemsOf({ ...example, data: {} }).length).toBeGreaterThan(0);
  });

  it('shows the test vector, and how to check it in five languages', () => {
    const operation = api.document.webhooks['webhook.test']?.post;
    expect(operation).toMatchObject({ 'x-test-vector': TEST_VECTOR });
    expect(exampleOf('webhook.test')).toEqual(JSON.parse(TEST_VECTOR.body));
    expect(RECEIVERS.map(({ language }) => language)).toEqual(Object.keys(LANGUAGES));
    const shown = [TEST_VECTOR.body, ...Object.values(TEST_VECTOR.headers), ...RECEIVERS.map(receiverSource)];
    for (const text of shown) expect(operation?.description).toContain(text);
    // The guide contains the tested text.
    expect(GUIDE).toContain(receiverSource(RECEIVERS[0]));
  });

  it('has the events of the guide', () => {
    const [, events = ''] = /\n## Events\n(.*?)\n## /s.exec(GUIDE) ?? [];
    const names = events.split('\n').flatMap((row) => {
      const [, first = ''] = row.split('|');
      return [...first.matchAll(/`([\w.]+)`/g)].map(([, name]) => name);
    });
    expect(names.toSorted()).toEqual(EVENT_NAMES.toSorted());
  });
});

describe('the test vector', () => {
  const { secret, headers, body } = TEST_VECTOR;
  const genuine: Received = {
    secret,
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signatures: headers['webhook-signature'],
    body: Buffer.from(body),
    now: Number(headers['webhook-timestamp']),
  };
  const { now, signatures } = genuine;
  const changed: Received[] = [
    ...oneByteOff(body).map((bytes) => ({ ...genuine, body: bytes })),
    ...oneByteOff(genuine.id).map((bytes) => ({ ...genuine, id: bytes.toString() })),
    ...oneByteOff(genuine.timestamp).map((bytes) => ({ ...genuine, timestamp: bytes.toString() })),
    ...oneByteOff(signatures).map((bytes) => ({ ...genuine, signatures: bytes.toString() })),
  ];

  it('is a delivery of its event', () => {
    expect(JSON.parse(body)).toMatchObject({ event: 'webhook.test', delivery_id: genuine.id });
    expect(Buffer.byteLength(body)).toBeGreaterThan(body.length);
  });

  describe.each(Object.entries(LANGUAGES))('checked in %s', (_, language) => {
    it('is genuine, and no byte of it can be another', () => {
      needLanguage(language);
      const right = [
        genuine,
        { ...genuine, now: now - 300 },
        { ...genuine, now: now + 300 },
        { ...genuine, signatures: `v1,${'A'.repeat(43)}= ${signatures}` },
        { ...genuine, signatures: `${signatures} v1a,${'A'.repeat(86)}==` },
      ];
      const wrong = [
        ...changed,
        { ...genuine, now: now - 301 },
        { ...genuine, now: now + 301 },
        { ...genuine, secret: 'whsec_YW5vdGhlciBzZWNyZXQgb2YgMzIgYnl0ZXMsIGJ5ZSE=' },
        { ...genuine, signatures: '' },
        { ...genuine, signatures: signatures.slice(0, -1) },
        { ...genuine, signatures: signatures.replace('v1,', '') },
        { ...genuine, timestamp: '' },
        { ...genuine, timestamp: `${genuine.timestamp}.0` },
        { ...genuine, timestamp: '9'.repeat(5000) },
      ];
      const verdicts = judge(language, [...right, ...wrong]);
      expect(verdicts).toEqual([...right.map(() => true), ...wrong.map(() => false)]);
    });
  });
});
