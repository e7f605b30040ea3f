import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { UAParser } from 'ua-parser-js';
import { normalizeIp } from '../client-ip';

export interface Client {
  /** Normalized by `normalizeIp`. */
  readonly ip: string;
  readonly userAgent: string;
}

export const From = createParamDecorator((_: unknown, context: ExecutionContext): Client => {
  const request = context.switchToHttp().getRequest<Request>();
  return { ip: normalizeIp(request.ip), userAgent: request.get('user-agent') ?? '' };
});

/** Characters of a user agent that are parsed; real ones are shorter. */
const MAX_AGENT = 500;

/** Browser and operating system, by which people recognize their sessions; null if unknown. */
export function deviceOf(userAgent: string): { browser: string | null; operatingSystem: string | null } {
  const { browser, os } = new UAParser(userAgent.slice(0, MAX_AGENT)).getResult();
  return { browser: browser.name ?? null, operatingSystem: os.name ?? null };
}
