import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { FrontConnection, Take } from '../../common/http/front-connection';
import type { PlainRequest } from '../../common/http/plain-request';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ACTIVATION_PATH } from '../domains/activation-probe';
import { DomainDirectory, type KnownDomain } from '../domains/domain-directory';
import { messagePage } from '../pages/html';
import { FILES, sendFile, sendToken } from './files';
import { HostNames, hostOfOrigin } from './host';
import { LinkGate } from './link-gate';
import { LinkPages } from './link-pages';
import { type Failed, QuickRedirects } from './quick-redirects';
import { defaultDomain, type ShortDomain } from './short-domain';
import { splitPath } from './short-path';
import type { Target } from './target';
import { TargetAnswers } from './target-answers';
import { Targets } from './targets';
import { WellKnown } from './well-known';

/** First segments of paths that are the API's, on whichever host serves both; the pages of opt-out links are `u`. */
const API_PATH = /^\/(?:api|health|metrics|internal|sdk|u)(?:[/?]|$)/;

/**
 * Everything that arrives, before Express: routes by host (4-decisions §1) and answers short links itself, so that
 * a redirect pays for no middleware. What is the API's goes on to `api`.
 */
@Injectable()
export class RedirectListener {
  private readonly logger = new Logger(RedirectListener.name);
  private readonly hosts = new HostNames();
  private readonly apiHost: string;
  private readonly shortHost: string;
  private readonly ownDomain: ShortDomain;

  constructor(
    private readonly targets: Targets,
    private readonly domains: DomainDirectory,
    private readonly answers: TargetAnswers,
    private readonly quick: QuickRedirects,
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
      const host = this.hosts.of(request.headers.host);
      if (this.isOfApi(host, request.url ?? '')) api(request, response);
      else this.answerShortHost(request, response, host);
    };
  }

  /** The same for plain requests, before they reach the servers: takes all but the API's. */
  readonly take: Take = (request, connection) => {
    const host = this.hosts.of(request.headers.host);
    if (this.isOfApi(host, request.url)) return false;
    if (!this.redirect(request, connection, host))
      connection.respond((message, response) => this.answerShortHost(message, response, host));
    return true;
  };

  private readonly failed: Failed = (connection, error) =>
    connection.respond((_, response) => this.fail(response, error));

  private isOfApi(host: string, url: string): boolean {
    if (host === this.shortHost) return API_PATH.test(url);
    return host === this.apiHost;
  }

  private redirect(request: PlainRequest, connection: FrontConnection, host: string): boolean {
    const domain = host === this.shortHost ? this.ownDomain : this.domains.peek(host);
    if (!domain || isDisabled(domain)) return false;
    try {
      return this.quick.take(domain.id, request, connection, this.failed);
    } catch (error) {
      this.failed(connection, error);
      return true;
    }
  }

  private answerShortHost(request: IncomingMessage, response: ServerResponse, host: string): void {
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
    const send = (target: Target | null, tracker: string | null) => {
      if (post) this.gate.submit(target, request, response, domain).catch(failed);
      else this.answers.send(response, target, { request, head, query, tracker, domain }, failed);
    };
    const located = this.targets.locate(domain.id, path);
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
    if (located.target !== undefined) send(located.target, tracker);
    else
      this.targets
        .find(domain.id, located.shortPath)
        .then((found) => send(found, tracker))
        .catch(failed);
  }

  /** An answer that could not be given: no store knew the link, or no place took the click. */
  private fail(response: ServerResponse, error: unknown): void {
    this.logger.error(`A link could not be answered: ${describeError(error).message}`);
    if (response.headersSent) response.destroy();
    else this.pages.unavailable(response, null);
  }
}

function isDisabled(domain: ShortDomain | KnownDomain): boolean {
  return 'disabled' in domain && domain.disabled;
}
