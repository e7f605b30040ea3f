import { bridgeOf, sendTo } from './bridge';
import type { PushConsent } from './types';

/**
 * Passes push consents to native code (docs/web-sdk.md#push-consent); nothing without a bridge. The page itself has
 * nothing of that name: it would overwrite the one that Android puts there.
 */
export function syncPushConsent({ identify, pushOptIn, pushAdOptIn }: PushConsent): void {
  const bridge = bridgeOf('syncPushConsent', 'postMessage');
  if (bridge) sendTo(bridge, { identify, pushOptIn, pushAdOptIn } satisfies PushConsent);
}
