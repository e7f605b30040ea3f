import { bridgeOf, sendTo } from './bridge';
import type { ReadySignal } from './types';

/** How long to poll for a bridge that native code injects late. */
const LATE_MS = 7_000;
const LOOK_EVERY_MS = 250;

type Reason = ReadySignal['reason'];
export type ReadyState = Omit<ReadySignal, 'event' | 'platform' | 'bridge' | 'reason' | 'url'>;

/** The READY signal to native code (docs/web-sdk.md#ready). */
export class Ready {
  private watching = false;

  /** @param state returns the state at the time of the signal */
  constructor(private readonly state: () => ReadyState) {}

  /** Sends the signal after initialization, successful or not, waiting a while for the bridge. */
  init(): void {
    if (!this.watching && !this.send('init')) this.watch();
  }

  /** @returns false without a bridge */
  send(reason: Reason): boolean {
    const bridge = bridgeOf('LinkBridge', 'onReady');
    if (!bridge) return false;
    const signal: ReadySignal = {
      event: 'READY',
      platform: 'WEB',
      bridge: bridge.layer,
      ...this.state(),
      reason,
      url: location.href,
    };
    sendTo(bridge, signal);
    return true;
  }

  private watch(): void {
    this.watching = true;
    let looks = LATE_MS / LOOK_EVERY_MS;
    const timer = setInterval(() => {
      if (!this.send('init') && --looks > 0) return;
      clearInterval(timer);
      this.watching = false;
    }, LOOK_EVERY_MS);
  }
}
