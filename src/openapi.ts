import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { API_KEY_SCHEME, APP_KEY_SCHEME, APP_SCHEME, CONSOLE_SCHEME } from './access/access.decorator';
import { APP_ID_HEADER, APP_KEY_HEADER } from './access/app-keys/app-headers';
import { ErrorResponse } from './common/errors/error-response.dto';
import type { Config } from './config/config';
import { addCommonAnswers } from './openapi-answers';
import { addWebhooks, WEBHOOK_MODELS } from './openapi-webhooks';

const DESCRIPTION = `Short links, campaigns and their statistics.

All requests and answers are JSON in UTF-8. Date-times are ISO-8601 in UTC (\`2026-11-20T08:32:00Z\`), ids are numbers,
absent optional values are \`null\`. Unknown fields and query parameters are ignored; a known one that is wrong is a 400
that names it. Every error has the body of \`ErrorResponse\`, whose \`code\` is stable.

Service API calls carry \`X-API-KEY\`; how many are left of a minute's is in the \`RateLimit-*\` headers. A POST may carry
\`Idempotency-Key\`, which makes it safe to repeat. Mobile SDK and cross-platform calls carry \`X-App-ID\` and
\`X-Mobile-App-API-Key\`, which must be a pair, and have a minute for each app.`;

/** Groups of operations, in the order of the page. */
const TAGS: Readonly<Record<string, string>> = {
  'Short links': 'Service API: make, read, change and delete short links; their statistics and QR codes',
  Campaigns:
    'Service API: make, read, change and delete campaign links; their statistics by customer and tracker',
  'Mobile SDK: deep links': 'Mobile SDK API: what an app is to show for the address or click that opened it',
  'Mobile SDK: clicks': 'Mobile SDK API: clicks that apps record themselves',
  'Mobile SDK: associations': 'Mobile SDK API: whose push token belongs to which link or campaign',
  'Mobile SDK: members': 'Mobile SDK API: who members are, and what they agree to',
  'Mobile SDK: custom domains': 'Mobile SDK API: domains of the organization of the app',
  'Cross-platform: members': 'Cross-platform API: who members are, what they agree to, and their withdrawal',
  'Cross-platform: sessions':
    'Cross-platform API: sessions of people on sites and in apps, what leads to them and what they reach',
  'Cross-platform: statistics': "Cross-platform API: what an app's sessions, events and goals add up to",
  'Web SDK':
    'What pages in browsers call, without a key: fingerprints, visits of app stores, the version of the SDK',
  Apps: 'Service API: register mobile and web apps; their keys, their URL namespaces, their installs',
  Contacts: 'Service API: the address book; each contact is known by the member id that you give it',
  'Contact groups': 'Service API: groups of the address book, and who is in them',
  'Custom domains': 'Service API: domains of the organization that links and campaigns can be on',
  Unsubscribes: 'Service API: opt-outs, and the feeds that keep other systems in step with them',
  Analytics: 'Service API: revenue, conversions, visitors and events, added up by day',
  'Console: login': 'Console API: tokens for users',
  'Console: organizations': 'Console API: tenants and their settings',
  'Console: users': 'Console API: who belongs to an organization, and what they may do',
  'Console: API keys': 'Console API: keys of the Service API',
  'Console: IP allow-list': 'Console API: addresses from which an organization may be called',
  'Console: add-ons': 'Console API: what an organization has booked',
  'Console: unsubscribes': 'Console API: opt-outs that come in otherwise, and links on which people opt out',
  'Console: audit log': 'Console API: who changed what, when, and from which address',
  'Console: debug schemes': 'Console API: how pages tried to open the apps, for those who develop them',
  'Console: links': 'Console API: settings of short links',
  'Console: apps': 'Console API: settings and keys of apps',
  'Console: campaigns': 'Console API: settings of campaigns',
  'Console: contacts': 'Console API: block, export and erase contacts; the whole book as CSV',
  'Console: credits': 'Console API: the ledger of credits',
  'Console: segments': 'Console API: segments of contacts',
  'Console: message sends': 'Console API: what was sent, for the billing usage',
  'Console: custom domains': 'Console API: add, verify, revoke and delete domains',
  'Console: webhooks': 'Console API: where webhooks go, their secrets, and the log of deliveries',
  Operations: 'Probes and metrics, for those who run the service',
};

/** The OpenAPI 3.1 document of every route. */
export function createOpenApiDocument(nest: NestExpressApplication, config: Config): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Waypost')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(config.baseUrl, 'This service')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'Service API key' },
      API_KEY_SCHEME,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: APP_ID_HEADER, description: 'Id of the app, with its key' },
      APP_SCHEME,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: APP_KEY_HEADER, description: 'Key of the app of X-App-ID' },
      APP_KEY_SCHEME,
    )
    // Not addBearerAuth: that says the token is a JWT.
    .addSecurity(CONSOLE_SCHEME, {
      type: 'http',
      scheme: 'bearer',
      description: 'Console token of the platform or of a user',
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(nest, builder.build(), {
    extraModels: [ErrorResponse, ...WEBHOOK_MODELS],
    autoTagControllers: false,
  });
  addCommonAnswers(document);
  addWebhooks(document);
  dropNullFromParameters(document);
  return document;
}

interface ParameterSchema {
  type?: string | string[];
  enum?: unknown[];
}

/** An optional field of a body may be null; in a query there is no such thing. */
function dropNullFromParameters(document: OpenAPIObject): void {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as unknown[]);
  for (const operation of operations) {
    const { parameters = [] } = operation as { parameters?: { schema?: ParameterSchema }[] };
    for (const { schema } of parameters) {
      if (schema?.enum) schema.enum = schema.enum.filter((value) => value !== null);
      if (Array.isArray(schema?.type)) schema.type = schema.type.find((type) => type !== 'null');
    }
  }
}

/** `/api/openapi.json`, and `/api/docs` to browse it; both are made at the first request. */
export function serveOpenApi(nest: NestExpressApplication, config: Config): void {
  SwaggerModule.setup('api/docs', nest, () => createOpenApiDocument(nest, config), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Waypost API',
    // The page must work offline, and tell no other site what it shows.
    swaggerOptions: { validatorUrl: null, persistAuthorization: true },
  });
}
