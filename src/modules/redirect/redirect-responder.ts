import { Inject, Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { headerBytes } from '../../common/header-url';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import type { KnownApp } from '../apps/cache/app-cache';
import { ClickRecorder } from '../clicks/click-recorder';
import { agentOf } from '../clicks/visitor-facts';
import type { Destination } from '../domains/destinations/destination';
import type { Html } from '../pages/html';
import { type Chosen, type Decision, Decisions, type Tokened, withoutApps } from './decisions';
import { gatedOf, LinkGate } from './gate/link-gate';
import { hostName } from './hosts';
import { adPage, previewPage } from './pages/answer-pages';
import { AppAnswers } from './pages/app-answers';
import { LinkPages, redirect } from './pages/link-pages';
import {
  clientAddressReader,
  customIdOf,
  type DomainRequest,
  isVisit,
  type RedirectRequest,
  type RequestHead,
} from './redirect-request';
import type { TrackedLink } from './tracked-link';

/** A request whose tracked link is there. */
interface Answered extends Chosen {
  redirectRequest: DomainRequest;
  response: ServerResponse;
  failed: (error: unknown) => void;
}

/** Answers a request for a link or campaign, once it is known which: decides, counts, and sends. */
@Injectable()
export class RedirectResponder {
  private readonly clientAddress: (request: RequestHead) => string;

  constructor(
    private readonly clicks: ClickRecorder,
    private readonly gate: LinkGate,
    private readonly decisions: Decisions,
    private readonly apps: AppAnswers,
    private readonly pages: LinkPages,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
  }

  /**
   * The redirect of a request that needs nothing but that, and its click. `kept` is null where nothing is counted.
   * @returns null when it is answered in another way: nothing is counted then
   */
  redirectOf(
    trackedLink: TrackedLink,
    redirectRequest: RedirectRequest,
  ): { location: string; kept: Promise<unknown> | null } | null {
    const visitor = agentOf(redirectRequest.request.headers['user-agent'] ?? '');
    if (this.decisions.of(trackedLink, visitor) !== 'REDIRECT' || gatedOf(trackedLink)) return null;
    const { location, utm, tokened } = this.decisions.siteOf({ trackedLink, visitor, redirectRequest });
    return {
      location,
      kept: isVisit(redirectRequest) ? this.record(trackedLink, redirectRequest, utm, tokened) : null,
    };
  }

  /** @param failed is told of an answer that could not be given, as no place took the click */
  send(
    response: ServerResponse,
    trackedLink: TrackedLink | null,
    redirectRequest: DomainRequest,
    failed: (error: unknown) => void,
  ): void {
    const visitor = agentOf(redirectRequest.request.headers['user-agent'] ?? '');
    const decision = this.decisions.of(trackedLink, visitor);
    if (decision === 'DISABLED') {
      this.pages.disabled(response);
      return;
    }
    if (!trackedLink || decision === 'NOT_FOUND' || decision === 'EXPIRED') {
      const end = decision === 'EXPIRED' ? 'expired' : 'notFound';
      this.pages.end(response, end, redirectRequest.domain, trackedLink?.organizationId);
      return;
    }
    const answered = { response, redirectRequest, trackedLink, visitor, failed };
    if (decision !== 'APP') {
      this.behindGate(answered, () => this.answer(answered, decision));
      return;
    }
    const app = this.apps.peek(trackedLink, visitor);
    if (app !== undefined) this.openOr(answered, app);
    else
      this.apps
        .find(trackedLink, visitor)
        .then((found) => this.openOr(answered, found))
        .catch(failed);
  }

  private behindGate(answered: Answered, goOn: () => void): void {
    const { trackedLink, redirectRequest, visitor, response, failed } = answered;
    const gated = gatedOf(trackedLink);
    if (!gated) goOn();
    else
      this.gate
        .lets(gated, redirectRequest, visitor, response)
        .then((passes) => {
          if (passes) goOn();
        })
        .catch(failed);
  }

  private answer(answered: Answered, decision: Decision): void {
    const { response, redirectRequest, trackedLink, failed } = answered;
    const { location, utm, tokened } = this.decisions.siteOf(answered);
    const send = () => {
      // Not by a `catch` of the promise, which would be two more for each redirect.
      try {
        if (decision === 'REDIRECT') redirect(response, location);
        else if (decision === 'AD') this.sendPage(answered, adPage(trackedLink, location));
        else this.sendPage(answered, previewPage(trackedLink, this.addressOf(redirectRequest), location));
      } catch (error) {
        failed(error);
      }
    };
    if (isVisit(redirectRequest)) this.record(trackedLink, redirectRequest, utm, tokened).then(send, failed);
    else send();
  }

  /** @param app null when it is gone, or nothing of it can be opened: the link answers as if it had none */
  private openOr(answered: Answered, app: KnownApp | null): void {
    const { response, redirectRequest, trackedLink, visitor } = answered;
    const storeVisit = app && this.apps.storeVisit(app, redirectRequest.query);
    if (storeVisit) {
      if (isVisit(redirectRequest)) this.apps.trackStoreVisit(storeVisit.token);
      redirect(response, storeVisit.store);
      return;
    }
    const instead = () => this.decisions.of(withoutApps(trackedLink), visitor);
    this.behindGate(answered, () => (app ? this.open(answered, app) : this.answer(answered, instead())));
  }

  private open(answered: Answered, app: KnownApp): void {
    const { redirectRequest, trackedLink, visitor, failed } = answered;
    const { location, utm } = this.decisions.destinationOf(answered);
    const [address = ''] = this.addressOf(redirectRequest).split('?');
    const onCustomDomain = redirectRequest.domain.organizationId !== null;
    const opening = this.apps.page(
      { app, trackedLink, visitor, location, address, onCustomDomain },
      redirectRequest,
    );
    const send = () => this.sendPage(answered, opening?.page ?? null);
    if (opening && isVisit(redirectRequest)) {
      const opened = { appId: app.id, tokenKey: opening.tokenKey };
      this.record(trackedLink, redirectRequest, utm, opened).then(send).catch(failed);
    } else send();
  }

  /** What leads nowhere on the web is no link. */
  private sendPage({ response, redirectRequest, trackedLink }: Answered, page: Html | null): void {
    const { organizationId } = trackedLink;
    if (page) this.pages.send(response, page, organizationId);
    else this.pages.end(response, 'notFound', redirectRequest.domain, organizationId);
  }

  /** Resolves when the click is stored: what is answered then is counted, whatever is killed. @throws when no place takes it */
  private record(
    trackedLink: TrackedLink,
    { request, query, tracker }: RedirectRequest,
    utm: Destination['utm'],
    tokened: Tokened | null,
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
      ip: this.clientAddress(request),
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

  /** The address that was asked for, on whichever of our hosts. */
  private addressOf({ request, domain }: DomainRequest): string {
    const isDefault = domain.organizationId === null;
    const origin = isDefault ? this.config.shortUrlBase : `https://${hostName(request.headers.host)}`;
    return `${origin}${headerBytes(request.url ?? '/')}`;
  }
}

const NO_APPS: readonly number[] = [];

function appIdsOf({ iosAppId, androidAppId }: TrackedLink): readonly number[] {
  // Most have none, and every redirect asks.
  if (iosAppId === null && androidAppId === null) return NO_APPS;
  return [iosAppId, androidAppId].filter((id) => id !== null);
}
