import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ACTIVATION_PATH } from '../domains/checks/activation-probe';
import { DomainCache, type KnownDomain } from '../domains/domain-cache';
import { messagePage } from '../pages/html';
import { FILES, sendFile, sendToken } from './files';
import { HostNames, hostOfOrigin, defaultDomain, type ShortDomain } from './host';
import { LinkGate } from './gate/link-gate';
import { LinkPages } from './pages/link-pages';
import { type RequestHead, splitPath } from './redirect-request';
import type { TrackedLink } from './tracked-link';
import { RedirectResponder } from './redirect-responder';
import { TrackedLinkLocator } from './tracked-link-locator';
import { WellKnown } from './well-known';

/** First segments of paths that are the API's, on whichever host serves both; the pages of opt-out links are `u`. */
const API_PATH = /^\/(?:api|health|metrics|internal|sdk|u)(?:[/?]|$)/;

/**
 * Everything that arrives, before Express: routes by host (docs/concepts/redirects.md#hosts) and answers short links
 * itself, so that a redirect pays for no middleware. What is the API's goes on to `api`.
 */
@Injectable()
export class RedirectListener {
  private readonly logger = new Logger(RedirectListener.name);
  private readonly hosts = new HostNames();
  private readonly apiHost: string;
  private readonly shortHost: string;
  private readonly ownDomain: ShortDomain;

  constructor(
    private readonly trackedLinks: TrackedLinkLocator,
    private readonly domains: DomainCache,
    private readonly answers: RedirectResponder,
    private readonly wellKnown: WellKnown,
    private readonly gate: LinkGate,
    private readonly pages: LinkPages,
    @Inject(CONFIG) config: Config,
  ) {
    this.apiHost = hostOfOrigin(config.baseUrl);
    this.shortHost = hostOfOrigin(config.shortUrlBase);
    this.ownDomain = defaultDomain(config);
  }

  /** The listener of the HTTP servers. */
  before(api: RequestListener): RequestListener {
    return (request, response) => {
      const host = this.hostOf(request);
      if (this.isOfApi(host, request.url ?? '')) api(request, response);
      else this.respond(request, response, host);
    };
  }

  /** The host name of the `Host` header; empty without one. */
  hostOf({ headers }: RequestHead): string {
    return this.hosts.of(headers.host);
  }

  isOfApi(host: string, url: string): boolean {
    if (host === this.shortHost) return API_PATH.test(url);
    return host === this.apiHost;
  }

  /** The short domain of a host as far as memory has it; null when there is none or it is disabled. */
  peekDomain(host: string): ShortDomain | null {
    const domain = host === this.shortHost ? this.ownDomain : this.domains.peek(host);
    return domain && !isDisabled(domain) ? domain : null;
  }

  /** Answers a request to a host that is not the API's. */
  respond(request: IncomingMessage, response: ServerResponse, host: string): void {
    try {
      if (host === this.shortHost) this.answer(request, response, this.ownDomain);
      else this.answerCustomDomain(request, response, host);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private answerCustomDomain(request: IncomingMessage, response: ServerResponse, host: string): void {
    const respond = (domain: KnownDomain | null) => {
      if (domain?.disabled) this.pages.disabled(response);
      else if (domain && request.url === ACTIVATION_PATH) sendToken(response, domain.activationToken);
      else if (domain) this.answer(request, response, domain);
      else this.pages.send(response, messagePage(404, 'notFound'), null);
    };
    const domain = this.domains.peek(host);
    if (domain !== undefined) respond(domain);
    else
      this.domains
        .find(host)
        .then(respond)
        .catch((error: unknown) => this.fail(response, error));
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

  /** Answers 503: no store knew the link, or none stored the click. */
  fail(response: ServerResponse, error: unknown): void {
    this.logger.error(`A link could not be answered: ${describeError(error).message}`);
    if (response.headersSent) response.destroy();
    else this.pages.unavailable(response, null);
  }
}

function isDisabled(domain: ShortDomain | KnownDomain): boolean {
  return 'disabled' in domain && domain.disabled;
}
