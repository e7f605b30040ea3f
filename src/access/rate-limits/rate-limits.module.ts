import { type ExecutionContext, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { KeyedApps } from '../app-keys/keyed-apps';
import { checkedRequest, hasPublicRate, serviceCall } from '../guards/checked-request';
import { RateLimitStorage } from './rate-limit-storage';
import { namedApp, webCaller } from './web-caller';

const MINUTE_MS = 60_000;
/** Calls of web pages that name no app of ours (doc 1 §8). */
const WEB_RATE = 1_000;

@Module({ providers: [RateLimitStorage], exports: [RateLimitStorage] })
export class RateLimitStorageModule {}

/** One entry a kind of limit: whose calls are counted together, and how many a minute. */
const throttlers = (apps: KeyedApps) => [
  {
    name: 'service',
    ttl: MINUTE_MS,
    skipIf: (context: ExecutionContext) => serviceCall(context) === null,
    limit: (context: ExecutionContext) => serviceCall(context)?.snapshot.serviceRatePerMinute ?? 0,
    generateKey: (context: ExecutionContext) => String(serviceCall(context)?.snapshot.organization.id),
    getTracker: () => 'organization',
  },
  {
    name: 'app',
    ttl: MINUTE_MS,
    skipIf: (context: ExecutionContext) => !checkedRequest(context).keyedApp,
    limit: (context: ExecutionContext) => checkedRequest(context).keyedApp?.sdkRatePerMinute ?? 0,
    generateKey: (context: ExecutionContext) => String(checkedRequest(context).keyedApp?.id),
    getTracker: () => 'app',
  },
  {
    name: 'web',
    ttl: MINUTE_MS,
    limit: (context: ExecutionContext) => webRate(context, apps),
    skipIf: (context: ExecutionContext) => !hasPublicRate(context, 'web'),
    generateKey: (_context: ExecutionContext, caller: string) => caller,
    getTracker: (_request: unknown, context: ExecutionContext) => webCaller(context),
  },
];

/** That of the app, where it has been raised; no store is waited for that is away. */
async function webRate(context: ExecutionContext, apps: KeyedApps): Promise<number> {
  const appId = await namedApp(context);
  const app = appId === null ? null : await apps.find(appId).catch(() => null);
  return app?.sdkRatePerMinute ?? WEB_RATE;
}

/** The limits of doc 1 §8. */
export const RateLimitsModule = ThrottlerModule.forRootAsync({
  imports: [RateLimitStorageModule],
  inject: [RateLimitStorage, KeyedApps],
  useFactory: (storage: RateLimitStorage, apps: KeyedApps) => ({ storage, throttlers: throttlers(apps) }),
});
