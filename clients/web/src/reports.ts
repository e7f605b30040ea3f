import { clientHints, resolution } from './device';
import type { DebugScheme } from './types';

/** Calls without a key, sent to Waypost directly (docs/concepts/deep-links.md#calls-of-web-pages). */
export class Reports {
  constructor(
    private readonly apiUrl: string | null,
    private readonly appId: number,
  ) {}

  async updateFingerprint(token: string, isCampaign: boolean): Promise<void> {
    const path = `${isCampaign ? 'campaign-deep-link' : 'deeplink'}/update-fingerprint`;
    const body = {
      token,
      appId: this.appId,
      resolution: resolution(),
      language: navigator.language,
      userAgent: navigator.userAgent,
    };
    // Sent at once, because the visitor may leave the page at any moment; client hints, which are asynchronous, follow.
    this.tell(path, body);
    const { model, platformVersion } = await clientHints();
    if (model) this.tell(path, { ...body, deviceModel: model, osVersion: platformVersion });
  }

  trackStoreVisit(token: string, isCampaign: boolean): void {
    this.tell('deeplink/track-store-visit', { token, isCampaign, appId: this.appId });
  }

  debugScheme(info: DebugScheme): void {
    this.tell('deeplink/debug-scheme', { ...info, appId: this.appId });
  }

  /** A text body makes this a simple request, which needs no preflight and outlives the page. */
  private tell(path: string, body: object): void {
    if (this.apiUrl === null) {
      console.error('[Waypost] apiUrl is missing');
      return;
    }
    const url = `${this.apiUrl}/api/v1/sdk/web/${path}`;
    const text = JSON.stringify(body);
    // Old webviews lack sendBeacon.
    const beacon = (navigator as Partial<Navigator>).sendBeacon?.bind(navigator);
    if (beacon?.(url, text)) return;
    fetch(url, { method: 'POST', body: text, keepalive: true, mode: 'no-cors' }).catch(() => undefined);
  }
}
