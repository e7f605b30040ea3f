import { bridgeOf, sendTo } from './bridge';
import type { PushConsent } from './types';

/**
 * Passes push consents to native code (docs/web-sdk.md#push-consent); a no-op without a bridge. The page must not
 * define a global of that name, which would overwrite Android's object.
 */
export function syncPushConsent({ identify, pushOptIn, pushAdOptIn }: PushConsent): void {
  const bridge = bridgeOf('syncPushConsent', 'postMessage');
  if (bridge) sendTo(bridge, { identify, pushOptIn, pushAdOptIn } satisfies PushConsent);
}
