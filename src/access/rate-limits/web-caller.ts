import type { ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiRequest } from '../../common/http/api-request';
import { bodyRulesOf } from '../../common/http/body-rules';
import { readBody } from '../../common/http/read-body';
import { normalizeIp } from '../client-ip';

/** The app that the body of a call of the Web SDK names; null where it names none. */
export async function namedApp(context: ExecutionContext): Promise<number | null> {
  const http = context.switchToHttp();
  const request = http.getRequest<ApiRequest>();
  const response = http.getResponse<Response>();
  // What is wrong with the body is said where it is asked for; a call that is refused for it counts all the same.
  await readBody(request, response, bodyRulesOf(context)).catch(() => undefined);
  const { appId } = Object(request.body) as { appId?: unknown };
  return Number.isSafeInteger(appId) && Number(appId) > 0 ? Number(appId) : null;
}

/** Whose minute a call of the Web SDK counts in: the app's that its body names, else the address's (4-decisions §2). */
export async function webCaller(context: ExecutionContext): Promise<string> {
  const appId = await namedApp(context);
  if (appId !== null) return `app:${appId}`;
  return `ip:${normalizeIp(context.switchToHttp().getRequest<ApiRequest>().ip)}`;
}
