import { createHmac, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../../common/http/api-request';
import { bodyRulesOf } from '../../common/http/body-rules';
import { ValidationFailed } from '../../common/errors/errors';
import { readBody } from '../../common/http/read-body';
import type { AppRule } from '../access.decorator';
import { SIGNATURE_HEADER } from '../app-keys/app-headers';
import { KeyedApps } from '../app-keys/keyed-apps';
import { checkedRequest } from './checked-request';
import { DomainError } from '../../common/errors/domain-error';

const SHA256_HEX = /^[0-9a-f]{64}$/i;

/**
 * Fifth guard: limits calls with the publishable key of an app, which anybody can read in the app
 * (docs/concepts/access.md#app-keys).
 */
@Injectable()
export class PublishableKeyGuard implements CanActivate {
  constructor(private readonly apps: KeyedApps) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = checkedRequest(context);
    const { rule, keyedApp, appCaller } = request;
    if (rule?.key !== 'app' || !keyedApp || appCaller?.key !== 'publishable') return true;
    const origin = request.get('origin');
    const { allowedOrigins } = keyedApp;
    if (origin !== undefined && allowedOrigins.length > 0 && !allowedOrigins.includes(origin)) {
      throw new DomainError('ORIGIN_NOT_ALLOWED', `${origin} is not one of the allowedOrigins of the app`);
    }
    if (rule.publishable === 'no') throw new DomainError('SECRET_KEY_REQUIRED');
    const field = rule.member ?? 'externalUserId';
    const { [field]: member, ipAddress } = await inputOf(context);
    // An address that did not count would make all phones behind a server one visitor.
    if (ipAddress) throw ValidationFailed.field('ipAddress', 'needs the secret key of the app');
    if (needsSignature(rule, member)) {
      const signature = request.get(SIGNATURE_HEADER) ?? '';
      if (!isSigned(member, signature, this.apps.secretKeyOf(keyedApp)))
        throw new DomainError(
          'IDENTITY_SIGNATURE_REQUIRED',
          `X-Identity-Signature must be the HMAC-SHA256 of ${field} with the secret key of the app, in hex`,
        );
    }
    return true;
  }
}

function needsSignature({ publishable }: AppRule, member: unknown): boolean {
  return publishable === 'identity' || (member !== undefined && member !== null);
}

async function inputOf(context: ExecutionContext): Promise<Record<string, unknown>> {
  const http = context.switchToHttp();
  const request = http.getRequest<ApiRequest>();
  // The handler reports a malformed body, after the other checks.
  await readBody(request, http.getResponse<Response>(), bodyRulesOf(context)).catch(() => undefined);
  return { ...request.query, ...(Object(request.body) as Record<string, unknown>) };
}

function isSigned(member: unknown, signature: string, secretKey: string): boolean {
  if (typeof member !== 'string' || !SHA256_HEX.test(signature)) return false;
  const expected = createHmac('sha256', secretKey).update(member).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'));
}
