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
import { scopeOf } from '../access/scopes';
import { ORGANIZATION_API } from '../access/service-controller';
import { consoleTag } from './tags';

type Rule = Exclude<AccessRule, { key: 'none' }>;
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

/** Documents what `@Access` requires: security, scope, role, and error responses. */
export function addAccess(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      if (!item[method]) continue;
      // Cloned, because the two paths of an operation share the object.
      const { [ACCESS_EXTENSION]: rule, ...operation } = structuredClone<Operation>(item[method]);
      if (!rule) continue;
      item[method] = operation;
      const inConsole = rule.key === 'service' && path.startsWith(ORGANIZATION_API);
      if (inConsole) moveToConsole(operation);
      describe(operation, inConsole ? consoleRuleOf(rule, method) : rule, method);
    }
  }
}

/** Renames `listShortUrls` to `listOrganizationShortUrls`. */
function moveToConsole(operation: Operation): void {
  operation.operationId = operation.operationId?.replace(/^[a-z]+/, '$&Organization');
  operation.parameters = [ORGANIZATION_ID, ...(operation.parameters ?? [])];
  operation.tags = operation.tags?.map(consoleTag);
}

function describe(operation: Operation, rule: Rule, method: string): void {
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
      refuse(401, 'A header is missing, or the two do not match: API_KEY_MISSING, API_KEY_INVALID');
      if (rule.addOn) refuse(403, 'Not permitted: ADDON_REQUIRED');
      refuse(429, 'More calls than the app may make per minute: RATE_LIMITED');
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
