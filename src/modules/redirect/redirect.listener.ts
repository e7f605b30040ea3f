import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import { ACTIVATION_PATH } from '../domains/checks/activation-probe';
import { messagePage } from '../pages/html';
import { FILES, sendFile, sendToken } from './files';
import { Hosts, type ShortDomain } from './hosts';
import { LinkGate } from './gate/link-gate';
import { LinkPages } from './pages/link-pages';
import { splitPath } from './redirect-request';
import type { TrackedLink } from './tracked-link';
import { RedirectResponder } from './redirect-responder';
import { TrackedLinkLocator } from './tracked-link-locator';
import { WellKnown } from './well-known';

/**
 * Handles every request before Express: routes by host (docs/concepts/redirects.md#hosts) and answers short links
 * itself, without the cost of middleware. Requests to the API are passed to `api`.
 */
@Injectable()
export class RedirectListener {
  private readonly logger = new Logger(RedirectListener.name);

  constructor(
    private readonly hosts: Hosts,
    private readonly trackedLinks: TrackedLinkLocator,
    private readonly answers: RedirectResponder,
    private readonly wellKnown: WellKnown,
    private readonly gate: LinkGate,
    private readonly pages: LinkPages,
  ) {}

  /** The request listener of the HTTP servers. */
  before(api: RequestListener): RequestListener {
    return (request, response) => {
      const host = this.hosts.nameOf(request.headers.host);
      if (this.hosts.isOfApi(host, request.url ?? '')) api(request, response);
      else this.respond(request, response, host);
    };
  }

  /** Answers a request to a host that is not the API's. */
  respond(request: IncomingMessage, response: ServerResponse, host: string): void {
    const domain = this.hosts.peek(host);
    if (domain !== undefined) this.respondOn(domain, request, response);
    else
      this.hosts
        .find(host)
        .then((found) => this.respondOn(found, request, response))
        .catch((error: unknown) => this.fail(response, error));
  }

  /** @param domain null for a host without short links */
  respondOn(domain: ShortDomain | null, request: IncomingMessage, response: ServerResponse): void {
    try {
      if (!domain) this.pages.send(response, messagePage(404, 'notFound'), null);
      else if (domain.disabled) this.pages.disabled(response);
      else if (domain.activationToken !== null && request.url === ACTIVATION_PATH)
        sendToken(response, domain.activationToken);
      else this.answer(request, response, domain);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse, domain: ShortDomain): void {
    const head = request.method === 'HEAD';
    const post = request.method === 'POST';
    if (!head && !post && request.method !== 'GET') {
      this.pages.methodNotAllowed(response, domain.organizationId);
      return;
    }
    const { path, query } = splitPath(request.url ?? '/');
    const failed = (error: unknown) => this.fail(response, error);
    const send = (trackedLink: TrackedLink | null, tracker: string | null) => {
      if (post) this.gate.submit(trackedLink, request, response, domain).catch(failed);
      else this.answers.send(response, trackedLink, { request, head, query, tracker, domain }, failed);
    };
    const located = this.trackedLinks.locate(domain.id, path);
    if (!located) {
      const file = FILES.get(path);
      if (post) this.pages.methodNotAllowed(response, domain.organizationId);
      else if (file) sendFile(response, head, file);
      else if (this.wellKnown.has(path))
        this.wellKnown.send(response, head, path, domain.organizationId).catch(failed);
      else this.pages.end(response, path === '/' ? 'root' : 'notFound', domain);
      return;
    }
    const { tracker } = located;
    if (located.trackedLink !== undefined) send(located.trackedLink, tracker);
    else
      this.trackedLinks
        .find(domain.id, located.shortPath)
        .then((found) => send(found, tracker))
        .catch(failed);
  }

  /** Answers 503, because the link could not be loaded or the click could not be stored. */
  fail(response: ServerResponse, error: unknown): void {
    this.logger.error(`A request for a link failed: ${describeError(error).message}`);
    if (response.headersSent) response.destroy();
    else this.pages.unavailable(response, null);
  }
}
