import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import { ACTIVATION_PATH } from '../domains/checks/activation-probe';
import { messagePage } from '../pages/html';
import { FILES, sendFile, sendToken } from './files';
import type { TracedAnswer } from './decision';
import { Hosts, type ShortDomain } from './hosts';
import { ANSWER_OF, type Observed } from './observation/answer';
import { RedirectObserver } from './observation/redirect-observer';
import { LinkPages } from './pages/link-pages';
import { splitPath } from './redirect-request';
import { RedirectResponder } from './redirect-responder';
import { TrackedLinkLocator } from './tracked-link-locator';
import { WellKnown } from './well-known';
import type { CachedTrackedLink } from '../tracked-links/tracked-link-cache';

/**
 * Handles every request before Express: routes by host (docs/concepts/redirects.md#hosts), and serves short links
 * without the cost of middleware. Requests to the API are passed to `api`.
 */
@Injectable()
export class RedirectListener {
  private readonly logger = new Logger(RedirectListener.name);

  constructor(
    private readonly hosts: Hosts,
    private readonly trackedLinks: TrackedLinkLocator,
    private readonly answers: RedirectResponder,
    private readonly wellKnown: WellKnown,
    private readonly pages: LinkPages,
    private readonly observer: RedirectObserver,
  ) {}

  /** Passes requests to the API's host on to `api`, and responds to all others itself. */
  before(api: RequestListener): RequestListener {
    return (request, response) => {
      const host = this.hosts.nameOf(request.headers.host);
      if (this.hosts.isOfApi(host, request.url ?? '')) api(request, response);
      else this.respond(request, response, host);
    };
  }

  /** Handles a request to a host other than the API's. */
  respond(request: IncomingMessage, response: ServerResponse, host: string): void {
    const observed = this.observer.observe(request, response);
    const domain = this.hosts.peek(host);
    if (domain !== undefined) this.respondOn(domain, request, response, observed);
    else
      this.hosts
        .find(host)
        .then((found) => this.respondOn(found, request, response, observed))
        .catch((error: unknown) => this.fail(response, error));
  }

  /** @param domain null for a host without short links */
  respondOn(
    domain: ShortDomain | null,
    request: IncomingMessage,
    response: ServerResponse,
    observed: Observed,
  ): void {
    try {
      if (domain) observed.host = this.hosts.nameOf(request.headers.host);
      if (!domain) {
        observed.answer = 'not_found';
        this.pages.send(response, messagePage(404, 'notFound'), null);
      } else if (domain.disabled) {
        observed.answer = 'closed';
        this.pages.disabled(response);
      } else if (domain.activationToken !== null && request.url === ACTIVATION_PATH)
        sendToken(response, domain.activationToken);
      else this.answer(request, response, domain, observed);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private answer(
    request: IncomingMessage,
    response: ServerResponse,
    domain: ShortDomain,
    observed: Observed,
  ): void {
    const head = request.method === 'HEAD';
    const post = request.method === 'POST';
    if (!head && !post && request.method !== 'GET') {
      this.pages.methodNotAllowed(response, domain.organizationId);
      return;
    }
    const { path, query } = splitPath(request.url ?? '/');
    const failed = (error: unknown) => this.fail(response, error);
    const traced = (answer: TracedAnswer) => {
      observed.answer = ANSWER_OF[answer];
    };
    const send = (trackedLink: CachedTrackedLink | null, tracker: string | null) => {
      observed.trackedLink = trackedLink;
      if (post) this.answers.submit(response, trackedLink, { request, domain, traced }, failed);
      else
        this.answers.send(response, trackedLink, { request, head, query, tracker, domain, traced }, failed);
    };
    const located = this.trackedLinks.locate(domain, path);
    if (!located) {
      const file = FILES.get(path);
      if (post) this.pages.methodNotAllowed(response, domain.organizationId);
      else if (file) sendFile(response, head, file);
      else if (this.wellKnown.has(path))
        this.wellKnown.send(response, head, path, domain.organizationId).catch(failed);
      else {
        const isRoot = path === '/';
        if (!isRoot) observed.answer = 'not_found';
        this.pages.end(response, isRoot ? 'root' : 'notFound', domain);
      }
      return;
    }
    const { tracker } = located;
    if (located.trackedLink !== undefined) send(located.trackedLink, tracker);
    else
      this.trackedLinks
        .find(domain, located.shortPath)
        .then((found) => send(found, tracker))
        .catch(failed);
  }

  /** Sends 503, because the link could not be loaded or the click could not be stored. */
  fail(response: ServerResponse, error: unknown): void {
    this.logger.error(`A request for a link failed: ${describeError(error).message}`);
    if (response.headersSent) response.destroy();
    else this.pages.unavailable(response, null);
  }
}
