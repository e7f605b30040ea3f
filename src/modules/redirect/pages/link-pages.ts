import type { ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../../../common/logging/logger';
import { headerUrl } from '../../../common/header-url';
import { type Html, messagePage } from '../../pages/html';
import { VisitorPages } from '../../pages/visitor-pages';
import type { Closed } from '../decision';
import type { ShortDomain } from '../hosts';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

/** Pages that a domain may replace with a redirect, with their status and the domain's field for the URL. */
const ENDS = {
  root: { status: 200, url: 'rootUrl' },
  notFound: { status: 404, url: 'notFoundUrl' },
  expired: { status: 410, url: 'expiredUrl' },
  usedUp: { status: 410, url: 'expiredUrl' },
} as const;

const UNAVAILABLE = messagePage(503, 'unavailable', { 'Retry-After': '5' });
const DISABLED = messagePage(410, 'disabled');
const METHOD_NOT_ALLOWED = messagePage(405, 'methodNotAllowed', { Allow: 'GET, HEAD' });

@Injectable()
export class LinkPages {
  private readonly logger = new Logger(LinkPages.name);

  constructor(private readonly pages: VisitorPages) {}

  /** @param organizationId of the branding; null for none */
  send(response: ServerResponse, page: Html, organizationId: number | null): void {
    this.pages.send(response, page, organizationId).catch((error: unknown) => {
      this.logger.error(`A page could not be sent: ${describeError(error).message}`);
      response.destroy();
    });
  }

  /** Responds to a request for a link that is closed. @param trackedLink null if there is none */
  closed(
    response: ServerResponse,
    reason: Closed | 'USED_UP',
    trackedLink: Pick<CachedTrackedLink, 'organizationId' | 'notStartedUrl' | 'expiredUrl'> | null,
    domain: ShortDomain,
  ): void {
    if (reason === 'DISABLED') this.disabled(response);
    else if (!trackedLink || reason === 'NOT_FOUND') this.end(response, 'notFound', domain);
    else {
      const own = reason === 'NOT_STARTED' ? trackedLink.notStartedUrl : trackedLink.expiredUrl;
      if (own) redirect(response, headerUrl(own));
      else
        this.end(response, reason === 'USED_UP' ? 'usedUp' : 'expired', domain, trackedLink.organizationId);
    }
  }

  /** Responds to a request without a destination, with the domain's redirect if it has one, else with a page. */
  end(
    response: ServerResponse,
    end: keyof typeof ENDS,
    domain: ShortDomain,
    organizationId = domain.organizationId,
  ): void {
    const { status, url } = ENDS[end];
    const replacement = domain[url];
    if (replacement === null) this.send(response, messagePage(status, end), organizationId);
    else redirect(response, headerUrl(new URL(replacement).href));
  }

  /** Sends a page without branding and without redirects of the link or its domain, because the link was abused. */
  disabled(response: ServerResponse): void {
    this.send(response, DISABLED, null);
  }

  methodNotAllowed(response: ServerResponse, organizationId: number | null): void {
    this.send(response, METHOD_NOT_ALLOWED, organizationId);
  }

  unavailable(response: ServerResponse, organizationId: number | null): void {
    this.send(response, UNAVAILABLE, organizationId);
  }
}

/** @param location printable ASCII, as header values must be */
export function redirect(response: ServerResponse, location: string): void {
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
