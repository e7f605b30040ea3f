import { type ExecutionContext, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { checkedRequest, hasPublicRate, serviceCall } from '../guards/checked-request';
import { RateLimitStorage } from './rate-limit-storage';
import { webCaller } from './web-caller';

const MINUTE_MS = 60_000;
/** Calls of an app's web pages (doc 1 §8). */
const WEB_RATE = 1_000;

@Module({ providers: [RateLimitStorage], exports: [RateLimitStorage] })
export class RateLimitStorageModule {}

/** One entry a kind of limit: whose calls are counted together, and how many a minute. */
const THROTTLERS = [
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
    limit: WEB_RATE,
    skipIf: (context: ExecutionContext) => !hasPublicRate(context, 'web'),
    generateKey: (_context: ExecutionContext, caller: string) => caller,
    getTracker: (_request: unknown, context: ExecutionContext) => webCaller(context),
  },
];

/** The limits of doc 1 §8. */
export const RateLimitsModule = ThrottlerModule.forRootAsync({
  imports: [RateLimitStorageModule],
  inject: [RateLimitStorage],
  useFactory: (storage: RateLimitStorage) => ({ storage, throttlers: THROTTLERS }),
});
