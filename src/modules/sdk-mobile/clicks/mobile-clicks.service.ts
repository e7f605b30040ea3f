import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { NotFound } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { AppCache } from '../../apps/cache/app-cache';
import { ClickRecorder, type Visit } from '../../clicks/click-recorder';
import { SCANNED } from '../../domains/destinations/own-parameters';
import { forEndUser } from '../../sessions/end-user.dto';
import { LinkPasses } from '../../tracked-links/restrictions/link-passes';
import { LinkPasswordCheck } from '../resolutions/link-password-check';
import { deviceAgentOf } from './device-agent';
import type {
  CampaignClickResponse,
  RecordCampaignClickRequest,
  RecordUrlClickRequest,
  UrlClickResponse,
} from './mobile-clicks.dto';
import { isOver, OwnedLinks } from '../resolutions/owned-links';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

type Named = Pick<Visit, 'tracker' | 'customId'>;

/** Records clicks reported by apps, with the same recorder and rules as clicks on a short domain. */
@Injectable()
export class MobileClicks {
  constructor(
    private readonly trackedLinks: OwnedLinks,
    private readonly apps: AppCache,
    private readonly passes: LinkPasses,
    private readonly passwords: LinkPasswordCheck,
    private readonly clicks: ClickRecorder,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound if the link is missing, expired or at its click limit; errors of LinkPasswordCheck.check */
  async url(app: AppCaller, request: RecordUrlClickRequest, userAgent: string): Promise<UrlClickResponse> {
    const { shortCode } = request;
    const [code = '', appPath = null] = shortCode.split('/', 2).reverse();
    const link = await this.admitted(await this.trackedLinks.link(app, code, appPath), app, request);
    if (!link) throw new NotFound('Link');
    const named = { tracker: channelOf(request), customId: null };
    const click = await this.record(app, link, named, request, userAgent);
    return { ...click, originalUrl: link.originalUrl, mobileTargetUrl: link.mobileTargetUrl };
  }

  /** @throws as `url` */
  async campaign(
    app: AppCaller,
    request: RecordCampaignClickRequest,
    userAgent: string,
  ): Promise<CampaignClickResponse> {
    const { campaignAlias, trackerAlias, customId } = request;
    const found = await this.trackedLinks.campaign(app, campaignAlias);
    const campaign = await this.admitted(found, app, request);
    if (!campaign) throw new NotFound('Campaign');
    const named = { tracker: trackerAlias || channelOf(request), customId: customId || null };
    const click = await this.record(app, campaign, named, request, userAgent);
    const { id, name, code, destination, mobileDestination } = campaign;
    const { location } = mobileDestination ?? destination;
    return { ...click, campaign: { id, name, alias: code }, redirectUrl: location };
  }

  /** Uses up a visit. @returns null if it is missing, expired or used up @throws as LinkPasswordCheck.check */
  private async admitted(
    trackedLink: CachedTrackedLink | null,
    app: AppCaller,
    request: RecordUrlClickRequest | RecordCampaignClickRequest,
  ): Promise<CachedTrackedLink | null> {
    if (!trackedLink || isOver(trackedLink, this.clock.now())) return null;
    await this.passwords.check(trackedLink, request.password, forEndUser(app, request));
    const passes = trackedLink.maxClicks === null || (await this.passes.take(trackedLink));
    return passes ? trackedLink : null;
  }

  /** Resolves when the click is durable. @throws if no store accepts it */
  private async record(
    caller: AppCaller,
    trackedLink: CachedTrackedLink,
    named: Named,
    request: RecordUrlClickRequest | RecordCampaignClickRequest,
    ofRequest: string,
  ): Promise<{ success: true; clickId?: number; filtered: boolean }> {
    const { organizationId, appId, ip } = forEndUser(caller, request);
    const userAgent = request.userAgent || ofRequest;
    const app = await this.apps.find(appId);
    if (!app) throw new NotFound('App');
    const tied = [trackedLink.iosAppId, trackedLink.androidAppId].filter((id) => id !== null);
    const { id, journaled } = this.clicks.record({
      kind: trackedLink.kind,
      trackedLinkId: trackedLink.id,
      organizationId,
      // The app that the click is for comes first.
      appIds: tied.toSorted((a, b) => Number(b === appId) - Number(a === appId)),
      ip,
      referrer: null,
      ...named,
      ...deviceAgentOf(request.deviceInfo ?? {}, userAgent, app.platform),
      utm: trackedLink.destination.utm,
      deduplicationWindowMinutes: trackedLink.deduplicationWindowMinutes,
      requestId: request.requestId,
    });
    const filtered = (await journaled).has(id);
    return { success: true, ...(!filtered && { clickId: id }), filtered };
  }
}

function channelOf({ scanned }: RecordUrlClickRequest | RecordCampaignClickRequest): string | null {
  return scanned ? SCANNED : null;
}
