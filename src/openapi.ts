import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import {
  API_KEY_SCHEME,
  APP_KEY_SCHEME,
  APP_SCHEME,
  CONSOLE_COOKIE_SCHEME,
  CONSOLE_SCHEME,
} from './access/access.decorator';
import { APP_ID_HEADER, APP_KEY_HEADER } from './access/app-keys/app-headers';
import { sessionCookieName } from './access/console/session-cookie';
import { ErrorResponse } from './common/errors/error-response.dto';
import type { Config } from './config/config';
import { addCommonAnswers } from './openapi-answers';
import { PAGE_OPTIONS } from './openapi-page';
import { addTags } from './openapi-tags';
import { addWebhooks, WEBHOOK_MODELS } from './openapi-webhooks';

const DESCRIPTION = `Short links, campaigns and their statistics.

All requests and responses are JSON in UTF-8. Date-times are ISO-8601 in UTC (\`2026-11-20T08:32:00Z\`), ids are numbers,
absent optional values are \`null\`. Unknown body fields are ignored, and so are unknown query parameters, except on
lists, feeds and exports: there an unknown parameter is a 400 that names it, because ignoring a mistyped filter would
return everything. An invalid value is a 400 that names the field. A path that only supports other methods returns
405 METHOD_NOT_ALLOWED and lists them in \`Allow\`.

Errors have the body of \`ErrorResponse\`, whose \`code\` is stable, except in the cross-platform API: a missing or invalid
app header returns \`{"error": "…"}\` there (\`HeaderErrorResponse\`), and \`opt-in\` and \`withdraw\` return
\`{"success": false, "message": "…"}\` for a member without a contact (\`ContactMissingResponse\`).

Service API calls carry \`X-API-KEY\`; the \`RateLimit-*\` headers report the remaining quota. A POST may carry
\`Idempotency-Key\`, which makes it safe to repeat. Mobile SDK and cross-platform calls carry \`X-App-ID\` and
\`X-Mobile-App-API-Key\`, which must match, and are rate-limited per app.`;

/** The OpenAPI 3.1 document of all routes. */
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
      {
        type: 'apiKey',
        in: 'header',
        name: APP_ID_HEADER,
        description: 'Id of the app; required together with its key',
      },
      APP_SCHEME,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: APP_KEY_HEADER, description: 'Key of the app in X-App-ID' },
      APP_KEY_SCHEME,
    )
    // Not addBearerAuth, which would declare the token a JWT.
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
  addTags(document);
  addCommonAnswers(document);
  addWebhooks(document);
  dropNullFromParameters(document);
  return document;
}

interface ParameterSchema {
  type?: string | string[];
  enum?: unknown[];
}

/** Optional body fields may be null; query parameters cannot. */
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

/** Serves `/api/openapi.json`, and `/api/docs` to browse it; both are generated on the first request. */
export function serveOpenApi(nest: NestExpressApplication, config: Config): void {
  SwaggerModule.setup('api/docs', nest, () => createOpenApiDocument(nest, config), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
    ...PAGE_OPTIONS,
  });
}
