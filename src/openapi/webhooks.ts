import type { OpenAPIObject } from '@nestjs/swagger';
import { ContactDeleted } from '../modules/contacts/feed/contact-feed.dto';
import { SessionTransitioned } from '../modules/cross-platform/sessions.dto';
import { UnsubscribeCreated, UnsubscribeDeleted } from '../modules/unsubscribes/feeds/unsubscribe-feeds.dto';
import { ClickLimitExceeded } from '../modules/usage/usage.dto';
import { EVENT_CATALOGUE } from '../modules/webhooks/events/event-catalogue';
import * as sessionEventData from '../modules/sessions/events/session-event-data.dto';
import * as eventData from '../modules/webhooks/events/event-data.dto';
import { EVENT_NAMES, type EventName } from '../modules/webhooks/outbox/outbox-event';
import { RECEIVERS, receiverSource, TEST_VECTOR } from '../modules/webhooks/deliveries/receivers';
import { WebhookEnvelope } from '../modules/webhooks/events/webhook-envelope.dto';
import { exampleOf } from './examples';

type Components = NonNullable<OpenAPIObject['components']>;
type Schema = Exclude<NonNullable<Components['schemas']>[string], { $ref: string }>;
type AnySchema = NonNullable<Components['schemas']>[string];
type PathItem = NonNullable<OpenAPIObject['webhooks']>[string];
type Operation = NonNullable<PathItem['post']>;

/** Classes of event data that no route returns, and which would otherwise be missing in the document. */
export const WEBHOOK_MODELS = [
  WebhookEnvelope,
  ...Object.values(eventData),
  ...Object.values(sessionEventData),
  SessionTransitioned,
  UnsubscribeCreated,
  UnsubscribeDeleted,
  ContactDeleted,
  ClickLimitExceeded,
];

const HEADERS = {
  'X-Signature-256':
    '`sha256=` and the HMAC-SHA256 of the raw body in lower-case hex, keyed with the secret as shown ' +
    '(UTF-8, including `whsec_`). For 24 h after a rotation, or until it is promoted, with the old ' +
    'secret',
  'webhook-id': 'The `delivery_id`',
  'webhook-timestamp': 'Time of this attempt in seconds since 1970; reject requests older than five minutes',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` in Base64, keyed with ' +
    'the Base64-decoded secret after `whsec_` (Standard Webhooks). After a rotation two signatures, ' +
    'separated by a space',
  'User-Agent': '`Waypost-Webhooks/1`',
} as const;
const EXAMPLES: Readonly<Record<string, string>> = {
  ...TEST_VECTOR.headers,
  'User-Agent': 'Waypost-Webhooks/1',
};

/** Adds an operation and a schema for every event (OpenAPI 3.1 `webhooks`). */
export function addWebhooks(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  const schemas = (components.schemas ??= {});
  const envelope = schemas.WebhookEnvelope as Schema;
  // Replaced by a complete schema per event.
  delete schemas.WebhookEnvelope;
  document.webhooks = {};
  for (const name of EVENT_NAMES) {
    schemas[schemaName(name)] = eventSchema(name, envelope);
    document.webhooks[name] = { post: operationOf(name, schemas) };
  }
  components.parameters = { ...components.parameters };
  for (const [name, description] of Object.entries(HEADERS)) {
    const schema: Schema = { type: 'string' };
    components.parameters[name] = {
      name,
      in: 'header',
      required: true,
      description,
      schema,
      example: EXAMPLES[name],
    };
  }
}

/** `link.clicked` becomes `LinkClickedEvent`. */
function schemaName(event: EventName): string {
  const words = event.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

function eventSchema(name: EventName, envelope: Schema): Schema {
  const { summary, description, data } = EVENT_CATALOGUE[name];
  return {
    ...envelope,
    description: `${summary}. ${description}`,
    properties: {
      ...envelope.properties,
      event: { type: 'string', enum: [name], description: 'Type of the event', example: name },
      data: { description: 'Data of the event', allOf: [{ $ref: `#/components/schemas/${data}` }] },
    },
  };
}

function operationOf(name: EventName, schemas: Record<string, AnySchema>): Operation {
  const { summary, description } = EVENT_CATALOGUE[name];
  const isTest = name === 'webhook.test';
  const schema = { $ref: `#/components/schemas/${schemaName(name)}` };
  const example: unknown = isTest ? JSON.parse(TEST_VECTOR.body) : exampleOf(schema, schemas);
  return {
    operationId: `on${schemaName(name)}`,
    summary,
    description: isTest
      ? `${description}\n\n${verification()}`
      : `${description} How to verify signatures: \`webhook.test\`.`,
    security: [],
    parameters: Object.keys(HEADERS).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'Delivered. Respond within 15 seconds; the response body is ignored' },
      '410': { description: 'Disables the endpoint at once' },
      default: {
        description:
          'Retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h; `Retry-After` is honoured up to ' +
          'twice the step. Redirects are not followed. After 5 days without a success, the endpoint is ' +
          'disabled',
      },
    },
    ...(isTest && { 'x-test-vector': TEST_VECTOR }),
  };
}

function verification(): string {
  const { secret, headers, body } = TEST_VECTOR;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const examples = RECEIVERS.map(
    (receiver) => `### ${receiver.language}\n\n\`\`\`${receiver.fence}\n${receiverSource(receiver)}\`\`\``,
  );
  return `Every delivery carries two signatures, of which you verify one: \`webhook-signature\` with a
[Standard Webhooks](https://www.standardwebhooks.com) library or the functions below, or \`X-Signature-256\`, which has
the format of GitHub's. Verify the raw bytes: re-serialized JSON has other bytes.

A test vector (also in \`x-test-vector\`): with the secret \`${secret}\`, this request is valid within five minutes of
its timestamp. The body ends with its last brace.

\`\`\`http
${lines.join('\n')}

${body}
\`\`\`

${examples.join('\n\n')}`;
}
