import type { OpenAPIObject } from '@nestjs/swagger';
import {
  ACCESS_EXTENSION,
  type AccessRule,
  API_KEY_SCHEME,
  APP_KEY_SCHEME,
  APP_SCHEME,
  CONSOLE_COOKIE_SCHEME,
  CONSOLE_SCHEME,
  consoleRuleOf,
} from '../access/access.decorator';
import { SIGNATURE_HEADER } from '../access/app-keys/app-headers';
import { scopeOf } from '../access/scopes';
import { ORGANIZATION_API } from '../access/service-controller';
import { consoleTag } from './tags';

type Rule = Exclude<AccessRule, { key: 'none' }>;
type AppRule = Rule & { key: 'app' };
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & { [ACCESS_EXTENSION]?: Rule };

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const ORGANIZATION_ID = {
  name: 'organizationId',
  in: 'path' as const,
  required: true,
  description: 'Id of the organization',
  schema: { type: 'integer' as const, format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  example: 1,
};

const SIGNATURE = {
  name: SIGNATURE_HEADER,
  in: 'header' as const,
  required: false,
  description:
    'With the publishable key, if the body names a member: the HMAC-SHA256 of the id of the member with the secret key ' +
    'of the app, in hex, which your server makes when the member signs in',
  schema: { type: 'string' as const, pattern: '^[0-9A-Fa-f]{64}$' },
  example: 'b5f1d6a3c2e498707f6e5d4c3b2a19080f1e2d3c4b5a69788796a5b4c3d2e1f0',
};
const SIGNED = 'A header is missing, or key or signature are wrong';

/** Documents what `@Access` requires: security, scope, role, and error responses. */
export function addAccess(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      if (!item[method]) continue;
      // Cloned, because the two paths of an operation share the object.
      const { [ACCESS_EXTENSION]: rule, ...operation } = structuredClone<Operation>(item[method]);
      if (!rule) continue;
      item[method] = operation;
      const inConsole = rule.key === 'service' && path.startsWith(ORGANIZATION_API);
      if (inConsole) moveToConsole(operation);
      describe(operation, inConsole ? consoleRuleOf(rule, method) : rule, method, schemas);
    }
  }
}

/** Renames `listShortUrls` to `listOrganizationShortUrls`. */
function moveToConsole(operation: Operation): void {
  operation.operationId = operation.operationId?.replace(/^[a-z]+/, '$&Organization');
  operation.parameters = [ORGANIZATION_ID, ...(operation.parameters ?? [])];
  operation.tags = operation.tags?.map(consoleTag);
}

function describe(operation: Operation, rule: Rule, method: string, schemas: Schemas): void {
  const refuse = (status: number, description: string) => {
    const schema = { $ref: '#/components/schemas/ErrorResponse' };
    operation.responses[status] = { description, content: { 'application/json': { schema } } };
  };
  switch (rule.key) {
    case 'service': {
      const scope = scopeOf(rule.scope, method);
      operation.security = [{ [API_KEY_SCHEME]: [scope] }];
      Object.assign(operation, { 'x-scope': scope });
      refuse(401, 'API key missing or invalid: API_KEY_MISSING, API_KEY_INVALID');
      refuse(403, serviceRefusals(rule, scope));
      refuse(429, 'More calls than the organization may make per minute: RATE_LIMITED');
      break;
    }
    case 'app':
      operation.security = [{ [APP_SCHEME]: [], [APP_KEY_SCHEME]: [] }];
      Object.assign(operation, { 'x-publishable-key': rule.publishable });
      refuse(401, 'A header is missing, or the two do not match: API_KEY_MISSING, API_KEY_INVALID');
      if (mayNameMember(operation, rule, schemas)) {
        (operation.parameters ??= []).push(SIGNATURE);
        refuse(401, `${SIGNED}: API_KEY_MISSING, API_KEY_INVALID, IDENTITY_SIGNATURE_REQUIRED`);
      }
      refuse(403, appRefusals(rule, operation.responses[403]));
      refuse(
        429,
        'More calls than the app, or an address with its publishable key, may make per minute: RATE_LIMITED',
      );
      break;
    case 'console':
      operation.security = [{ [CONSOLE_SCHEME]: [rule.role] }];
      // The cookie belongs to users: the platform has no session.
      if (rule.role !== 'PLATFORM') operation.security.push({ [CONSOLE_COOKIE_SCHEME]: [rule.role] });
      Object.assign(operation, { 'x-role': rule.role });
      if (rule.permission) Object.assign(operation, { 'x-permission': rule.permission });
      refuse(401, 'Console token missing, invalid or expired: CONSOLE_TOKEN_INVALID');
      refuse(403, consoleRefusals(rule, method));
      refuse(429, 'More calls than a user may make per minute: RATE_LIMITED');
  }
}

/** Whether a call may need the signature of a member. */
function mayNameMember({ requestBody }: Operation, { publishable }: AppRule, schemas: Schemas): boolean {
  if (publishable !== 'yes') return publishable === 'identity';
  const { $ref = '' } = jsonSchemaOf(requestBody);
  const schema = (schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) as { properties?: object };
  return 'externalUserId' in (schema.properties ?? {});
}

function jsonSchemaOf(body: Operation['requestBody']): { $ref?: string } {
  if (!body || '$ref' in body) return {};
  return (body.content['application/json']?.schema ?? {}) as { $ref?: string };
}

/** @param documented refusals that the operation documents itself, as those of passwords */
function appRefusals({ publishable, addOn }: AppRule, documented: Operation['responses'][string]): string {
  const others = documented && 'description' in documented ? `. ${documented.description}` : '';
  const codes = ['ORIGIN_NOT_ALLOWED'];
  if (publishable === 'no') codes.push('SECRET_KEY_REQUIRED');
  if (addOn) codes.push('ADDON_REQUIRED');
  return `Not permitted: ${codes.join(', ')}${others}`;
}

function serviceRefusals({ addOn, permission }: Rule & { key: 'service' }, scope: string): string {
  const codes = ['FEATURE_NOT_AVAILABLE', 'IP_NOT_ALLOWED', `SCOPE_REQUIRED (${scope})`, 'ROLE_REQUIRED'];
  if (addOn && addOn !== 'MESSAGING') codes.push('ADDON_REQUIRED');
  if (permission) codes.push(`PERMISSION_DENIED (${permission})`);
  return `Not permitted: ${codes.join(', ')}`;
}

function consoleRefusals(
  { role, orSelf, permission, addOn }: Rule & { key: 'console' },
  method: string,
): string {
  const who = role === 'PLATFORM' ? 'the platform token' : orSelf ? `${role}, or oneself` : role;
  const codes = [`ROLE_REQUIRED (${who})`];
  if (addOn) codes.push(addOn === 'MESSAGING' ? 'FEATURE_NOT_AVAILABLE' : 'ADDON_REQUIRED');
  if (permission) codes.push(`PERMISSION_DENIED (${permission})`);
  if (method !== 'get') codes.push('ORIGIN_NOT_ALLOWED');
  return `Not permitted: ${codes.join(', ')}`;
}
