import type { ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { BoundedCache } from '../../common/bounded-cache';
import type { ApiRequest } from '../../common/http/api-request';
import { bodyRulesOf } from '../../common/http/body-rules';
import { readBody } from '../../common/http/read-body';
import type { Clock } from '../../common/time/clock';
import type { KeyedApp, KeyedApps } from '../app-keys/keyed-apps';
import { networkOf, normalizeIp } from '../client-ip';
import { countCall, type RateWindow } from './rate-window';

const MINUTE_MS = 60_000;
/** Unknown app ids that are looked up per network and minute; further ones are not. */
const MISSES = 100;
const NETWORKS = 20_000;

/** A caller of the Web SDK; `app` is null if the body names no existing app, or it could not be looked up. */
export interface WebCaller {
  readonly app: KeyedApp | null;
  readonly network: string;
}

/** Identifies callers of the Web SDK by body and address (docs/security.md#calls-without-a-key). */
export class WebCallers {
  private readonly known = new WeakMap<ApiRequest, Promise<WebCaller>>();
  private readonly misses = new BoundedCache<string, RateWindow>(NETWORKS);

  constructor(
    private readonly apps: KeyedApps,
    private readonly clock: Clock,
  ) {}

  of(context: ExecutionContext): Promise<WebCaller> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    let caller = this.known.get(request);
    if (!caller) {
      caller = this.read(context, request);
      this.known.set(request, caller);
    }
    return caller;
  }

  private async read(context: ExecutionContext, request: ApiRequest): Promise<WebCaller> {
    const network = networkOf(normalizeIp(request.ip));
    const appId = await namedApp(context, request);
    return { app: appId === null ? null : await this.find(appId, network), network };
  }

  /** Returns null without waiting if the store is down. */
  private async find(appId: number, network: string): Promise<KeyedApp | null> {
    const now = this.clock.now();
    const misses = this.misses.get(network);
    if (misses && misses.hits >= MISSES && Math.abs(now - misses.start) < MINUTE_MS) return null;
    const app = await this.apps.find(appId).catch(() => null);
    if (!app) this.misses.set(network, countCall(misses, now, MINUTE_MS));
    return app;
  }
}

async function namedApp(context: ExecutionContext, request: ApiRequest): Promise<number | null> {
  const response = context.switchToHttp().getResponse<Response>();
  // The handler reports a malformed body later; here the call only counts.
  await readBody(request, response, bodyRulesOf(context)).catch(() => undefined);
  const { appId } = Object(request.body) as { appId?: unknown };
  return Number.isSafeInteger(appId) && Number(appId) > 0 ? Number(appId) : null;
}
