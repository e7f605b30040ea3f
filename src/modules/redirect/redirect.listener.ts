import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ClickRecorder } from '../clicks/click-recorder';
import { withRequestQuery } from '../domains/destination';
import { DomainDirectory } from '../domains/domain-directory';
import { LinkDirectory, type LinkTarget } from '../links/link-directory';
import { DEFAULT_DOMAIN } from '../links/link.entity';
import { clientAddressReader } from './client-address';
import { decide } from './decide';
import { HostNames, hostOfOrigin } from './host';
import { EXPIRED, FILES, METHOD_NOT_ALLOWED, NOT_FOUND, sendFile, sendPage, UNAVAILABLE } from './pages';
import { parseShortPath, type ShortPath } from './short-path';

/** First segments of paths that are the API's, on whichever host serves both. */
const API_PATH = /^\/(?:api|health|metrics|internal|sdk)(?:[/?]|$)/;

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
  private readonly clientAddress: (request: IncomingMessage) => string;

  constructor(
    private readonly links: LinkDirectory,
    private readonly domains: DomainDirectory,
    private readonly clicks: ClickRecorder,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.apiHost = hostOfOrigin(config.baseUrl);
    this.shortHost = hostOfOrigin(config.shortUrlBase);
    this.clientAddress = clientAddressReader(config.trustProxy);
  }

  /** The listener of the HTTP servers. */
  before(api: RequestListener): RequestListener {
    return (request, response) => {
      const host = this.hosts.of(request.headers.host);
      if (host === this.apiHost && host !== this.shortHost) api(request, response);
      else if (host === this.shortHost && API_PATH.test(request.url ?? '')) api(request, response);
      else this.answerLink(request, response, host);
    };
  }

  private answerLink(request: IncomingMessage, response: ServerResponse, host: string): void {
    try {
      if (host === this.shortHost) this.answer(request, response, DEFAULT_DOMAIN);
      else this.answerCustomDomain(request, response, host);
    } catch (error) {
      this.fail(response, error);
    }
  }

  private answerCustomDomain(request: IncomingMessage, response: ServerResponse, host: string): void {
    const respond = (domain: { id: number } | null) => {
      if (domain) this.answer(request, response, domain.id);
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

  private answer(request: IncomingMessage, response: ServerResponse, domainId: number): void {
    const head = request.method === 'HEAD';
    if (!head && request.method !== 'GET') {
      sendPage(response, false, METHOD_NOT_ALLOWED);
      return;
    }
    const url = request.url ?? '/';
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? '' : url.slice(mark + 1);
    // Most requests end here: a path that is a code which memory knows needs no closer look.
    const known = this.links.peek(domainId, path.slice(1));
    if (known) {
      this.follow(request, response, known, query);
      return;
    }
    const shortPath = parseShortPath(path);
    if (!shortPath) {
      const file = FILES.get(path);
      if (file) sendFile(response, head, file);
      else sendPage(response, head, NOT_FOUND);
      return;
    }
    const target = this.links.peek(domainId, shortPath.code);
    if (target !== undefined) {
      this.follow(request, response, ofPath(target, shortPath), query);
      return;
    }
    this.links
      .find(domainId, shortPath.code)
      .then((found) => this.follow(request, response, ofPath(found, shortPath), query))
      .catch((error: unknown) => this.fail(response, error));
  }

  private follow(
    request: IncomingMessage,
    response: ServerResponse,
    target: LinkTarget | null,
    query: string,
  ): void {
    const head = request.method === 'HEAD';
    const decision = decide(target, this.clock.now());
    if (!target || decision !== 'REDIRECT') {
      sendPage(response, head, decision === 'EXPIRED' ? EXPIRED : NOT_FOUND);
      return;
    }
    const { location, utm } = withRequestQuery(target.destination, query);
    if (head || isPrefetch(request)) {
      redirect(response, location);
      return;
    }
    const { headers } = request;
    const { kept } = this.clicks.record({
      kind: 'link',
      targetId: target.id,
      organizationId: target.organizationId,
      appId: target.iosAppId ?? target.androidAppId,
      ip: this.clientAddress(request),
      userAgent: headers['user-agent'] ?? '',
      referrer: headers.referer ?? null,
      tracker: null,
      customId: null,
      utm,
      deduplicationWindowMinutes: target.deduplicationWindowMinutes,
    });
    kept.then(
      () => redirect(response, location),
      (error: unknown) => this.fail(response, error),
    );
  }

  /** An answer that could not be given: no store knew the link, or no place took the click. */
  private fail(response: ServerResponse, error: unknown): void {
    this.logger.error(`A link could not be answered: ${describeError(error).message}`);
    if (response.headersSent) response.destroy();
    else sendPage(response, response.req.method === 'HEAD', UNAVAILABLE);
  }
}

/** A link under an app path is that app's: under another app's it does not exist. */
function ofPath(target: LinkTarget | null, { appPath }: ShortPath): LinkTarget | null {
  return appPath === null || target?.appPath === appPath ? target : null;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, [
    'Location',
    location,
    'Cache-Control',
    'private, no-store',
    'Content-Length',
    '0',
  ]);
  response.end();
}

/** A browser that fetches ahead: nobody has clicked yet. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  return typeof purpose === 'string' && purpose.toLowerCase().includes('prefetch');
}
