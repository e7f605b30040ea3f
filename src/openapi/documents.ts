import type { ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import {
  API_KEY_SCHEME,
  APP_KEY_SCHEME,
  APP_SCHEME,
  CONSOLE_COOKIE_SCHEME,
  CONSOLE_SCHEME,
} from '../access/access.decorator';
import { APP_ID_HEADER, APP_KEY_HEADER } from '../access/app-keys/app-headers';
import { sessionCookieName } from '../access/console/session-cookie';
import { ErrorResponse } from '../common/http/error-response.dto';
import type { Config } from '../config/config';
import { SERVICE_API } from '../access/service-controller';
import { REPORTS_OF_APPS } from '../modules/analytics/analytics.atoms';
import { addAccess } from './access';
import { addCommonAnswers } from './answers';
import { pageOptions } from './page';
import { addressOf, PARTS, partOf, WHOLE } from './parts';
import { addTags } from './tags';
import { CONSOLE, CROSS_PLATFORM, ERRORS, FORMATS, SDK, SERVICE } from './texts';
import { addWebhooks, WEBHOOK_MODELS } from './webhooks';

const SUMMARY = 'Short links, campaigns and their statistics.';
const DESCRIPTION = [SUMMARY, FORMATS, ERRORS, CROSS_PLATFORM, SERVICE, SDK, CONSOLE].join('\n\n');

const PAGE = '/api/docs';
/** Content-Security-Policy of Swagger UI, which sets inline styles; scripts come from this service only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The OpenAPI 3.1 document of all routes. */
function createOpenApiDocument(nest: NestExpressApplication, config: Config): OpenAPIObject {
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
      {
        type: 'apiKey',
        in: 'header',
        name: APP_ID_HEADER,
        description: 'Id of the app; required together with its key',
      },
      APP_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: APP_KEY_HEADER,
        description: 'Secret or publishable key of the app in X-App-ID',
      },
      APP_KEY_SCHEME,
    )
    // addBearerAuth would declare the token to be a JWT.
    .addSecurity(CONSOLE_SCHEME, {
      type: 'http',
      scheme: 'bearer',
      description: 'Console token of the platform or of a user',
    })
    .addApiKey(
      {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookieName(config),
        description: 'Session of a browser, set by `signIn`; changes need an `Origin` of BASE_URL',
      },
      CONSOLE_COOKIE_SCHEME,
    );
  const document = SwaggerModule.createDocument(nest, builder.build(), {
    extraModels: [ErrorResponse, ...WEBHOOK_MODELS],
    autoTagControllers: false,
  });
  addAccess(document);
  addTags(document);
  addCommonAnswers(document);
  addWebhooks(document);
  dropNullFromParameters(document);
  requireAppsOfKeys(document);
  return document;
}

interface ParameterSchema {
  type?: string | string[];
  enum?: unknown[];
}

/** Removes null from query parameters: only fields of a body can be null. */
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

function requireAppsOfKeys({ paths }: OpenAPIObject): void {
  for (const report of REPORTS_OF_APPS) {
    const { parameters = [] } = paths[SERVICE_API + report]?.get ?? {};
    for (const parameter of parameters) {
      if ('name' in parameter && parameter.name === 'appId') parameter.required = true;
    }
  }
}

/** The documents by URL path: the complete one, and one per audience. */
export function createOpenApiDocuments(
  nest: NestExpressApplication,
  config: Config,
): ReadonlyMap<string, OpenAPIObject> {
  const whole = createOpenApiDocument(nest, config);
  return new Map([[WHOLE, whole], ...PARTS.map((part) => [addressOf(part), partOf(whole, part)] as const)]);
}

/** Serves the documents, and `/api/docs` to browse them. All are generated on the first request. */
export function serveOpenApi(nest: NestExpressApplication, config: Config): void {
  const express = nest.getHttpAdapter().getInstance();
  let documents: ReadonlyMap<string, OpenAPIObject> | undefined;
  for (const address of [WHOLE, ...PARTS.map(addressOf)]) {
    express.get(address, (_, response) => {
      documents ??= createOpenApiDocuments(nest, config);
      response.json(documents.get(address));
    });
  }
  const choices = PARTS.map((part) => ({ name: part.title, url: addressOf(part) }));
  nest.use(PAGE, (_: unknown, response: ServerResponse, next: () => void) => {
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  });
  // Without a document: the page loads the one that the reader chooses.
  SwaggerModule.setup(PAGE, nest, {} as OpenAPIObject, {
    raw: false,
    ...pageOptions([{ name: 'Everything', url: WHOLE }, ...choices]),
  });
}
