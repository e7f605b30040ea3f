import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { headerBytes } from '../../common/header-url';
import { Clock } from '../../common/time/clock';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import type { KnownApp } from '../apps/cache/app-cache';
import { type Destination, withRequestQuery } from '../domains/destinations/destination';
import { SITE_TOKEN_PARAMETER } from '../domains/destinations/own-parameters';
import { withParameter } from '../domains/destinations/query';
import type { Html } from '../pages/html';
import { adPage, previewPage } from './pages/answer-pages';
import { AppAnswers } from './pages/app-answers';
import { decide, type Decision, withoutApps } from './decide';
import { DestinationResolver } from './destination-resolver';
import { type DomainRequest, type RedirectRequest, isVisit } from './redirect-request';
import { hostName } from './hosts';
import { gatedOf, LinkGate } from './gate/link-gate';
import { LinkPages, redirect } from './pages/link-pages';
import type { TrackedLink } from './tracked-link';
import { type Tokened, VisitRecorder } from './visit-recorder';
import { agentOf, type Visitor } from '../clicks/user-agent';

/** Who follows what. */
interface Chosen {
  redirectRequest: RedirectRequest;
  trackedLink: TrackedLink;
  visitor: Visitor;
}

/** A request whose tracked link is there. */
interface Answered extends Chosen {
  redirectRequest: DomainRequest;
  response: ServerResponse;
  failed: (error: unknown) => void;
}

/** Answers a request for a link or campaign, once it is known which: decides, counts, and sends. */
@Injectable()
export class RedirectResponder {
  constructor(
    private readonly visits: VisitRecorder,
    private readonly gate: LinkGate,
    private readonly destinations: DestinationResolver,
    private readonly apps: AppAnswers,
    private readonly pages: LinkPages,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The redirect of a request that needs nothing but that, and its click. `kept` is null where nothing is counted.
   * @returns null when it is answered in another way: nothing is counted then
   */
  redirectOf(
    trackedLink: TrackedLink,
    redirectRequest: RedirectRequest,
  ): { location: string; kept: ReturnType<VisitRecorder['record']> | null } | null {
    const visitor = agentOf(redirectRequest.request.headers['user-agent'] ?? '');
    if (decide(trackedLink, visitor, this.clock.now()) !== 'REDIRECT' || gatedOf(trackedLink)) return null;
    const { location, utm, tokened } = this.siteOf({ trackedLink, visitor, redirectRequest });
    return {
      location,
      kept: isVisit(redirectRequest) ? this.visits.record(trackedLink, redirectRequest, utm, tokened) : null,
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
    const decision = decide(trackedLink, visitor, this.clock.now());
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
    const { location, utm, tokened } = this.siteOf(answered);
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
    if (isVisit(redirectRequest))
      this.visits.record(trackedLink, redirectRequest, utm, tokened).then(send, failed);
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
    const instead = () => decide(withoutApps(trackedLink), visitor, this.clock.now());
    this.behindGate(answered, () => (app ? this.open(answered, app) : this.answer(answered, instead())));
  }

  private open(answered: Answered, app: KnownApp): void {
    const { redirectRequest, trackedLink, visitor, failed } = answered;
    const { location, utm } = this.destinationOf(answered);
    const [address = ''] = this.addressOf(redirectRequest).split('?');
    const onCustomDomain = redirectRequest.domain.organizationId !== null;
    const opening = this.apps.page(
      { app, trackedLink, visitor, location, address, onCustomDomain },
      redirectRequest,
    );
    const send = () => this.sendPage(answered, opening?.page ?? null);
    if (opening && isVisit(redirectRequest)) {
      const opened = { appId: app.id, tokenKey: opening.tokenKey };
      this.visits.record(trackedLink, redirectRequest, utm, opened).then(send).catch(failed);
    } else send();
  }

  /** What leads nowhere on the web is no link. */
  private sendPage({ response, redirectRequest, trackedLink }: Answered, page: Html | null): void {
    const { organizationId } = trackedLink;
    if (page) this.pages.send(response, page, organizationId);
    else this.pages.end(response, 'notFound', redirectRequest.domain, organizationId);
  }

  /** The destination, with a token for its site where that is asked for. */
  private siteOf(chosen: Chosen): Destination & { tokened: Tokened | null } {
    const destination = this.destinationOf(chosen);
    const issued = this.visits.siteToken(chosen.trackedLink, chosen.visitor, chosen.redirectRequest);
    if (!issued) return { location: destination.location, utm: destination.utm, tokened: null };
    const location = withParameter(destination.location, SITE_TOKEN_PARAMETER, issued.token);
    return { location, utm: destination.utm, tokened: { appId: null, tokenKey: issued.key } };
  }

  private destinationOf({ trackedLink, visitor, redirectRequest: { request, query } }: Chosen): Destination {
    const ip = () => this.visits.addressOf(request);
    return withRequestQuery(this.destinations.of(trackedLink, visitor, ip), query);
  }

  /** The address that was asked for, on whichever of our hosts. */
  private addressOf({ request, domain }: DomainRequest): string {
    const isDefault = domain.organizationId === null;
    const origin = isDefault ? this.config.shortUrlBase : `https://${hostName(request.headers.host)}`;
    return `${origin}${headerBytes(request.url ?? '/')}`;
  }
}
