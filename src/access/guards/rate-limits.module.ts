import { type ExecutionContext, Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Clock } from '../../common/time/clock';
import { KeyedApps } from '../app-keys/keyed-apps';
import { networkOf } from '../client-ip';
import { checkedRequest, consoleUser, hasPublicRate, serviceCall } from './checked-request';
import { RateLimitStorage } from '../rate-limits/rate-limit-storage';
import { WebCallers } from '../rate-limits/web-caller';

const MINUTE_MS = 60_000;
/** Calls per minute of a network whose requests name no known app (docs/security.md#calls-without-a-key). */
const WEB_RATE = 100;

/** Calls per minute of a network with the publishable key of an app. */
const ADDRESS_RATE = 300;

/** Calls per minute of a console user, whose pages load many figures at once. */
const USER_RATE = 600;

@Module({ providers: [RateLimitStorage], exports: [RateLimitStorage] })
export class RateLimitStorageModule {}

/** One entry per kind of limit: the key by which calls are grouped, and the number of calls per minute. */
const throttlers = (callers: WebCallers) => [
  {
    name: 'service',
    ttl: MINUTE_MS,
    skipIf: (context: ExecutionContext) => serviceCall(context) === null,
    limit: (context: ExecutionContext) => {
      const { rule, snapshot } = serviceCall(context) ?? {};
      return rule?.ratePerMinute ?? snapshot?.serviceRatePerMinute ?? 0;
    },
    generateKey: (context: ExecutionContext) => {
      const { rule, snapshot } = serviceCall(context) ?? {};
      const own = rule?.ratePerMinute === undefined ? '' : `:${context.getHandler().name}`;
      return `${snapshot?.organization.id}${own}`;
    },
    getTracker: () => 'organization',
  },
  {
    name: 'user',
    ttl: MINUTE_MS,
    skipIf: (context: ExecutionContext) => consoleUser(context) === null,
    limit: USER_RATE,
    generateKey: (context: ExecutionContext) => String(consoleUser(context)),
    getTracker: () => 'user',
  },
  // Checked before the app's limit, so that a network above its own limit does not use up the app's.
  {
    name: 'address',
    ttl: MINUTE_MS,
    skipIf: (context: ExecutionContext) => checkedRequest(context).appCaller?.key !== 'publishable',
    limit: ADDRESS_RATE,
    generateKey: (_context: ExecutionContext, key: string) => key,
    getTracker: (_request: unknown, context: ExecutionContext) => {
      const { appCaller } = checkedRequest(context);
      return `${appCaller?.appId}:${networkOf(appCaller?.ip ?? '')}`;
    },
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
    limit: async (context: ExecutionContext) => (await callers.of(context)).app?.sdkRatePerMinute ?? WEB_RATE,
    skipIf: (context: ExecutionContext) => !hasPublicRate(context, 'web'),
    generateKey: (_context: ExecutionContext, key: string) => key,
    getTracker: async (_request: unknown, context: ExecutionContext) => {
      const { app, network } = await callers.of(context);
      return app ? `app:${app.id}` : `ip:${network}`;
    },
  },
];

/** Rate limits (docs/concepts/conventions.md#rate-limits). */
export const RateLimitsModule = ThrottlerModule.forRootAsync({
  imports: [RateLimitStorageModule],
  inject: [RateLimitStorage, KeyedApps, Clock],
  useFactory: (storage: RateLimitStorage, apps: KeyedApps, clock: Clock) => ({
    storage,
    throttlers: throttlers(new WebCallers(apps, clock)),
  }),
});
