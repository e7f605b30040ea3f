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
/** Ids of no app that one network may ask for in a minute; what it names then is not looked up. */
const MISSES = 100;
const NETWORKS = 20_000;

/** Who calls the Web SDK: an app that is there, and from which network. */
export interface WebCaller {
  readonly app: KeyedApp | null;
  readonly network: string;
}

/** Tells who calls the Web SDK, by the body and the address (docs/security.md#calls-without-a-key). */
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

  /** No store is waited for that is away. */
  private async find(appId: number, network: string): Promise<KeyedApp | null> {
    const now = this.clock.now();
    const misses = this.misses.get(network);
    if (misses && misses.hits >= MISSES && Math.abs(now - misses.start) < MINUTE_MS) return null;
    const app = await this.apps.find(appId).catch(() => null);
    if (!app) this.misses.set(network, countCall(misses, now, MINUTE_MS));
    return app;
  }
}

/** The app that the body of a call of the Web SDK names; null where it names none. */
async function namedApp(context: ExecutionContext, request: ApiRequest): Promise<number | null> {
  const response = context.switchToHttp().getResponse<Response>();
  // What is wrong with the body is said where it is asked for; a call that is refused for it counts all the same.
  await readBody(request, response, bodyRulesOf(context)).catch(() => undefined);
  const { appId } = Object(request.body) as { appId?: unknown };
  return Number.isSafeInteger(appId) && Number(appId) > 0 ? Number(appId) : null;
}
