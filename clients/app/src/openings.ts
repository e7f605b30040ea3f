import { type Lead, tokenIn } from './address';
import type { Api } from './api';
import type { DeviceFacts } from './device';
import { later } from './timer';
import type { DeepLink, Platform } from './types';

const MOBILE = '/sdk/mobile';
const REFERRER_MS = 5_000;

/** An opening of the app that a link may have led to, as it waits in the queue. */
export interface Opening {
  lead: Lead;
  url: string | null;
  isFirstLaunch: boolean;
  /** Set once Waypost has answered and only the click is left to count. */
  isResolved?: true;
}

/** Fields of the answers of match, resolve-shorturl, resolve-campaign and resolve-fingerprint. */
interface Answer {
  matched?: boolean;
  sessionId: string | null;
  deepLinkUrl: string | null;
  originalUrl: string;
  urlId: number | null;
  campaignId?: number | null;
  campaign?: { id: number };
  customerId?: string | null;
  goalType: string | null;
}

export interface Found {
  link: DeepLink;
  /** The session that the click began; null if it began none. */
  sessionId: string | null;
  /** The token by which the link was found. */
  token: string | null;
}

/** Asks Waypost which link led to an opening. */
export class Openings {
  constructor(
    private readonly api: Api,
    private readonly device: DeviceFacts,
    private readonly platform: Platform,
  ) {}

  /** @param requestId makes repeats count once @returns null if no link did @throws errors of Api */
  async resolve(opening: Opening, requestId: string, password: string | null): Promise<Found | null> {
    const { lead } = opening;
    switch (lead.by) {
      case 'token':
        return this.match(opening, lead.token, 'token', requestId);
      case 'install': {
        const token = tokenIn((await this.referrer()) ?? '');
        return token === null ? this.fingerprint(opening) : this.match(opening, token, 'referrer', requestId);
      }
      case 'link':
        return this.address(
          opening,
          `resolve-shorturl/${lead.code.split('/').map(encodeURIComponent).join('/')}`,
          requestId,
          { password },
        );
      case 'campaign':
        return this.address(opening, `resolve-campaign/${encodeURIComponent(lead.alias)}`, requestId, {
          cid: lead.cid,
        });
    }
  }

  /** Counts the click, which did not pass through Waypost. @param requestId makes repeats count once */
  async count({ lead }: Opening, requestId: string, password: string | null): Promise<void> {
    const common = { requestId, deviceInfo: this.device.info, userAgent: this.device.userAgent };
    if (lead.by === 'link') {
      await this.api.post(`${MOBILE}/clicks/url`, {
        ...common,
        shortCode: lead.code,
        scanned: lead.scanned,
        password,
      });
    } else if (lead.by === 'campaign') {
      const named = {
        campaignAlias: lead.alias,
        trackerAlias: lead.tracker,
        customId: lead.cid,
        scanned: lead.scanned,
      };
      await this.api.post(`${MOBILE}/clicks/campaign`, { ...common, ...named });
    }
  }

  private async match(
    opening: Opening,
    token: string,
    matchedBy: 'token' | 'referrer',
    requestId: string,
  ): Promise<Found> {
    const { isFirstLaunch } = opening;
    const { userAgent } = this.device;
    const answer = await this.api.get<Answer>(`${MOBILE}/deeplink/match`, {
      token,
      isFirstLaunch,
      requestId,
      userAgent,
    });
    return found(opening, answer, matchedBy, token);
  }

  private async fingerprint(opening: Opening): Promise<Found | null> {
    const { isFirstLaunch } = opening;
    const answer = await this.api.get<Answer>(`${MOBILE}/deeplink/resolve-fingerprint`, {
      ...this.device.fingerprint,
      isFirstLaunch,
    });
    return answer.matched === true ? found(opening, answer, 'fingerprint', null) : null;
  }

  private async address(
    opening: Opening,
    path: string,
    requestId: string,
    { password = null, cid = null }: { password?: string | null; cid?: string | null },
  ): Promise<Found> {
    const { isFirstLaunch } = opening;
    const { userAgent } = this.device;
    const fields = { sessionId: requestId, requestId, isFirstLaunch, userAgent, cid };
    // Encoded, because headers cannot hold every letter.
    const headers = { 'X-Link-Password': password === null ? undefined : encodeURIComponent(password) };
    const answer = await this.api.get<Answer>(`${MOBILE}/deeplink/${path}`, fields, headers);
    return found(opening, answer, 'address', null);
  }

  /** Times out, so that a store that does not respond cannot block the queue. */
  private async referrer(): Promise<string | null> {
    const asked = this.platform.installReferrer?.().catch(() => null);
    if (!asked) return null;
    return soon(asked, REFERRER_MS);
  }
}

/** The value, or null if there is none in time. */
export function soon<T>(value: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = later(ms, () => resolve(null));
    value.then(resolve, reject).finally(() => cancel());
  });
}

function found(
  { url, isFirstLaunch }: Opening,
  answer: Answer,
  matchedBy: DeepLink['matchedBy'],
  token: string | null,
): Found {
  const { deepLinkUrl, originalUrl, urlId, campaignId, campaign, customerId = null, goalType } = answer;
  const target = { deepLinkUrl, originalUrl, urlId, campaignId: campaignId ?? campaign?.id ?? null };
  const link = { ...target, customerId, goalType, isFirstLaunch, matchedBy, url };
  return { link, sessionId: answer.sessionId, token };
}
