import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { FrontConnection, Take } from '../../common/http/front-connection';
import type { PlainRequest } from '../../common/http/plain-request';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ACTIVATION_PATH } from '../domains/activation-probe';
import { DomainDirectory, type KnownDomain } from '../domains/domain-directory';
import { DEFAULT_DOMAIN } from '../../common/target.entity';
import { HostNames, hostOfOrigin } from './host';
import { FILES, METHOD_NOT_ALLOWED, NOT_FOUND, sendFile, sendPage, sendToken, UNAVAILABLE } from './pages';
import { LinkGate } from './link-gate';
import { type Failed, QuickRedirects } from './quick-redirects';
import { splitPath } from './short-path';
import type { Target } from './target';
import { TargetAnswers } from './target-answers';
import { Targets } from './targets';
import { WellKnown } from './well-known';

/** Where a request has come in: a custom domain, or the default one, which is nobody's own. */
type ShortDomain =
  Pick<KnownDomain, 'id' | 'organizationId'> | { id: typeof DEFAULT_DOMAIN; organizationId: null };

const OWN_DOMAIN: ShortDomain = { id: DEFAULT_DOMAIN, organizationId: null };

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

  constructor(
    private readonly targets: Targets,
    private readonly domains: DomainDirectory,
    private readonly answers: TargetAnswers,
    private readonly quick: QuickRedirects,
    private readonly wellKnown: WellKnown,
    private readonly gate: LinkGate,
    @Inject(CONFIG) config: Config,
  ) {
    this.apiHost = hostOfOrigin(config.baseUrl);
    this.shortHost = hostOfOrigin(config.shortUrlBase);
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
    const domain = host === this.shortHost ? OWN_DOMAIN : this.domains.peek(host);
    if (!domain) return false;
    try {
      return this.quick.take(domain.id, request, connection, this.failed);
    } catch (error) {
      this.failed(connection, error);
      return true;
    }
  }

  private answerShortHost(request: IncomingMessage, response: ServerResponse, host: string): void {
    try {
      if (host === this.shortHost) this.answer(request, response, OWN_DOMAIN);
      else this.answerCustomDomain(request, response, host);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private answerCustomDomain(request: IncomingMessage, response: ServerResponse, host: string): void {
    const respond = (domain: KnownDomain | null) => {
      if (domain && request.url === ACTIVATION_PATH) sendToken(response, domain.activationToken);
      else if (domain) this.answer(request, response, domain);
      else sendPage(response, request.method === 'HEAD', NOT_FOUND);
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
      sendPage(response, false, METHOD_NOT_ALLOWED);
      return;
    }
    const { path, query } = splitPath(request.url ?? '/');
    const failed = (error: unknown) => this.fail(response, error);
    const send = (target: Target | null, tracker: string | null) => {
      if (post) this.gate.submit(target, request, response).catch(failed);
      else this.answers.send(response, target, { request, head, query, tracker }, failed);
    };
    const located = this.targets.locate(domain.id, path);
    if (!located) {
      const file = FILES.get(path);
      if (post) sendPage(response, false, METHOD_NOT_ALLOWED);
      else if (file) sendFile(response, head, file);
      else if (this.wellKnown.has(path))
        this.wellKnown.send(response, head, path, domain.organizationId).catch(failed);
      else sendPage(response, head, NOT_FOUND);
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
    else sendPage(response, response.req.method === 'HEAD', UNAVAILABLE);
  }
}
