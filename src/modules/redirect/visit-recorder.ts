import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ClickRecorder } from '../clicks/click-recorder';
import { AppPageTokens } from '../attribution/tokens/app-page-tokens';
import type { Destination } from '../domains/destinations/destination';
import {
  clientAddressReader,
  type RequestHead,
  type RedirectRequest,
  isVisit,
  customIdOf,
} from './redirect-request';
import type { TrackedLink } from './tracked-link';
import type { Visitor } from '../clicks/user-agent';

/** What the answer gives a token to. */
export interface Tokened {
  /** The app of the page that opens one; null: the site that the link leads to. */
  appId: number | null;
  tokenKey: string;
}

/** Records visits of links and campaigns. */
@Injectable()
export class VisitRecorder {
  /** The visitor's IP address. */
  readonly addressOf: (request: RequestHead) => string;

  constructor(
    private readonly clicks: ClickRecorder,
    private readonly tokens: AppPageTokens,
    @Inject(CONFIG) config: Config,
  ) {
    this.addressOf = clientAddressReader(config.trustProxy);
  }

  /** A token for the site that a person's click leads to, where link or organization ask for it. */
  siteToken(
    trackedLink: TrackedLink,
    visitor: Visitor,
    redirectRequest: RedirectRequest,
  ): { token: string; key: string } | null {
    const isAsked =
      trackedLink.appendClickId && !visitor.isBot && !visitor.isPreview && isVisit(redirectRequest);
    return isAsked ? this.tokens.issue() : null;
  }

  /** Resolves when the click is kept: what is answered then is counted, whatever is killed. @throws when no place takes it */
  record(
    trackedLink: TrackedLink,
    { request, query, tracker }: RedirectRequest,
    utm: Destination['utm'],
    tokened: Tokened | null = null,
  ): Promise<unknown> {
    const { headers } = request;
    const appIds = appIdsOf(trackedLink);
    const appId = tokened?.appId ?? null;
    return this.clicks.record({
      kind: trackedLink.kind,
      trackedLinkId: trackedLink.id,
      organizationId: trackedLink.organizationId,
      // First the one that the visit is for.
      appIds: appId === null ? appIds : [appId, ...appIds.filter((id) => id !== appId)],
      ip: this.addressOf(request),
      userAgent: headers['user-agent'] ?? '',
      referrer: headers.referer ?? null,
      tracker,
      customId: trackedLink.kind === 'campaign' ? customIdOf(query) : null,
      utm,
      deduplicationWindowMinutes: trackedLink.deduplicationWindowMinutes,
      tokenKey: tokened?.tokenKey,
      tokenForSite: tokened?.appId === null,
    }).kept;
  }
}

const NO_APPS: readonly number[] = [];

function appIdsOf({ iosAppId, androidAppId }: TrackedLink): readonly number[] {
  // Most have none, and every redirect asks.
  if (iosAppId === null && androidAppId === null) return NO_APPS;
  return [iosAppId, androidAppId].filter((id) => id !== null);
}
