import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { headerBytes } from '../../common/header-url';
import { Config } from '../../config/config';
import type { KnownApp } from '../apps/cache/app-cache';
import { ClickRecorder } from '../clicks/click-recorder';
import { agentOf } from '../clicks/visitor-facts';
import type { Destination } from '../domains/destinations/destination';
import { isScan, SCANNED } from '../domains/destinations/own-parameters';
import type { Html } from '../pages/html';
import type { Decision } from './decision';
import { type FoundRequest, Decisions, isClosed, type Tokened, withoutApps } from './decisions';
import { isGated, LinkGate, type Submission } from './gate/link-gate';
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
import type { CachedTrackedLink } from '../tracked-links/tracked-link-cache';

interface Answered extends FoundRequest {
  redirectRequest: DomainRequest;
  response: ServerResponse;
  failed: (error: unknown) => void;
}

/** Responds to requests for an existing link or campaign: decides, records the click, and responds. */
@Injectable()
export class RedirectResponder {
  private readonly clientAddress: (request: RequestHead) => string;

  constructor(
    private readonly clicks: ClickRecorder,
    private readonly gate: LinkGate,
    private readonly decisions: Decisions,
    private readonly apps: AppAnswers,
    private readonly pages: LinkPages,
    private readonly config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
  }

  /**
   * Records the click of a request that only needs a redirect. `kept` resolves once the click is stored, and is null if
   * there is no click to record.
   * @returns null, without having recorded anything, if the request needs another response
   */
  redirectOf(
    trackedLink: CachedTrackedLink,
    redirectRequest: RedirectRequest,
  ): { location: string; kept: Promise<unknown> | null } | null {
    const visitor = agentOf(redirectRequest.request.headers['user-agent'] ?? '');
    if (this.decisions.of(trackedLink, visitor) !== 'REDIRECT' || isGated(trackedLink)) return null;
    const destination = this.decisions.siteOf({ trackedLink, visitor, redirectRequest });
    const { location, tokened } = destination;
    return {
      location,
      kept: isVisit(redirectRequest) ? this.record(trackedLink, redirectRequest, destination, tokened) : null,
    };
  }

  /** @param failed called if no response is possible, for example because the click could not be stored */
  send(
    response: ServerResponse,
    trackedLink: CachedTrackedLink | null,
    redirectRequest: DomainRequest,
    failed: (error: unknown) => void,
  ): void {
    const visitor = agentOf(redirectRequest.request.headers['user-agent'] ?? '');
    const decision = this.decisions.of(trackedLink, visitor);
    if (!trackedLink || isClosed(decision)) {
      const reason = isClosed(decision) ? decision : 'NOT_FOUND';
      redirectRequest.traced?.(reason);
      this.pages.closed(response, reason, trackedLink, redirectRequest.domain);
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

  /** Handles a POST, which submits a link's password. */
  submit(
    response: ServerResponse,
    trackedLink: CachedTrackedLink | null,
    submission: Submission,
    failed: (error: unknown) => void,
  ): void {
    this.gate.submit(trackedLink, submission, response).catch(failed);
  }

  private behindGate(answered: Answered, proceed: () => void): void {
    const { trackedLink, redirectRequest, visitor, response, failed } = answered;
    if (!isGated(trackedLink)) proceed();
    else
      this.gate
        .admit(trackedLink, redirectRequest, visitor, response)
        .then((admitted) => {
          if (admitted) proceed();
        })
        .catch(failed);
  }

  private answer(answered: Answered, decision: Decision): void {
    const { response, redirectRequest, trackedLink, failed } = answered;
    redirectRequest.traced?.(decision);
    if (isClosed(decision)) {
      // The link has expired while its app was looked up.
      this.pages.closed(response, decision, trackedLink, redirectRequest.domain);
      return;
    }
    const destination = this.decisions.siteOf(answered);
    const { location, tokened } = destination;
    const send = () => {
      // try/catch, because a `catch` on the promise would cost every redirect two more promises.
      try {
        if (decision === 'REDIRECT') redirect(response, location);
        else if (decision === 'AD') this.sendPage(answered, adPage(trackedLink, location));
        else this.sendPage(answered, previewPage(trackedLink, this.addressOf(redirectRequest), location));
      } catch (error) {
        failed(error);
      }
    };
    if (isVisit(redirectRequest))
      this.record(trackedLink, redirectRequest, destination, tokened).then(send, failed);
    else send();
  }

  /** @param app null if it is deleted or unusable, in which case the link responds as if it had none */
  private openOr(answered: Answered, app: KnownApp | null): void {
    const { response, redirectRequest, trackedLink, visitor } = answered;
    const storeVisit = app && this.apps.storeVisit(app, redirectRequest.query);
    if (storeVisit) {
      redirectRequest.traced?.('STORE');
      if (isVisit(redirectRequest)) this.apps.trackStoreVisit(storeVisit.token);
      redirect(response, storeVisit.store);
      return;
    }
    const withoutApp = () => this.decisions.of(withoutApps(trackedLink), visitor);
    this.behindGate(answered, () => (app ? this.open(answered, app) : this.answer(answered, withoutApp())));
  }

  private open(answered: Answered, app: KnownApp): void {
    const { redirectRequest, trackedLink, visitor, failed } = answered;
    redirectRequest.traced?.('APP');
    const destination = this.decisions.destinationOf(answered);
    const { location } = destination;
    const [address = ''] = this.addressOf(redirectRequest).split('?');
    const onCustomDomain = redirectRequest.domain.organizationId !== null;
    const opening = this.apps.page(
      { app, trackedLink, visitor, location, address, onCustomDomain },
      redirectRequest,
    );
    const send = () => this.sendPage(answered, opening?.page ?? null);
    if (opening && isVisit(redirectRequest)) {
      const opened = { appId: app.id, tokenKey: opening.tokenKey };
      this.record(trackedLink, redirectRequest, destination, opened).then(send).catch(failed);
    } else send();
  }

  /** @param page null if the destination is not a web URL, in which case the response is 404 */
  private sendPage({ response, redirectRequest, trackedLink }: Answered, page: Html | null): void {
    const { organizationId } = trackedLink;
    if (page) this.pages.send(response, page, organizationId);
    else this.pages.end(response, 'notFound', redirectRequest.domain, organizationId);
  }

  /**
   * Resolves once the click is stored, so that it survives a crash after the response. @throws if no store accepts it
   */
  private record(
    trackedLink: CachedTrackedLink,
    { request, query, tracker }: RedirectRequest,
    { utm, variant }: Destination,
    tokened: Tokened | null,
  ): Promise<unknown> {
    const { headers } = request;
    const appIds = appIdsOf(trackedLink);
    const appId = tokened?.appId ?? null;
    return this.clicks.record({
      kind: trackedLink.kind,
      trackedLinkId: trackedLink.id,
      organizationId: trackedLink.organizationId,
      // The app that the visit is for comes first.
      appIds: appId === null ? appIds : [appId, ...appIds.filter((id) => id !== appId)],
      ip: this.clientAddress(request),
      userAgent: headers['user-agent'] ?? '',
      referrer: headers.referer ?? null,
      tracker: tracker ?? (isScan(query) ? SCANNED : null),
      customId: trackedLink.kind === 'campaign' ? customIdOf(query) : null,
      utm,
      variant,
      deduplicationWindowMinutes: trackedLink.deduplicationWindowMinutes,
      tokenKey: tokened?.tokenKey,
      tokenForSite: tokened?.appId === null,
    }).journaled;
  }

  /** The complete URL of the request. */
  private addressOf({ request, domain }: DomainRequest): string {
    const isDefault = domain.organizationId === null;
    const origin = isDefault ? this.config.shortUrlBase : `https://${hostName(request.headers.host)}`;
    return `${origin}${headerBytes(request.url ?? '/')}`;
  }
}

const NO_APPS: readonly number[] = [];

function appIdsOf({ iosAppId, androidAppId }: CachedTrackedLink): readonly number[] {
  // Avoids an allocation in every redirect, because most links have no apps.
  if (iosAppId === null && androidAppId === null) return NO_APPS;
  return [iosAppId, androidAppId].filter((id) => id !== null);
}
