import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerBytes } from '../../../common/header-url';
import { Clock } from '../../../common/time/clock';
import { Config } from '../../../config/config';
import type { Visitor } from '../../clicks/visitor-facts';
import { LinkPasses } from '../../tracked-links/restrictions/link-passes';
import {
  LinkPasswordAttempts,
  type Locked,
  lockedOf,
} from '../../tracked-links/restrictions/link-password-attempts';
import { type Html, messagePage } from '../../pages/html';
import type { Texts } from '../../pages/texts/texts';
import type { TracedAnswer } from '../decision';
import { closedAs } from '../decisions';
import { readForm } from './form-body';
import { LinkPasswords } from './link-passwords';
import type { ShortDomain } from '../hosts';
import { LinkPages } from '../pages/link-pages';
import {
  clientAddressReader,
  type DomainRequest,
  isVisit,
  type RequestHead,
  secureReader,
  splitPath,
} from '../redirect-request';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

export interface Submission {
  readonly request: IncomingMessage;
  readonly domain: ShortDomain;
  /** Called with the kind of the response, unless the method is rejected. */
  readonly traced: (answer: TracedAnswer) => void;
}

/** Enforces passwords and `maxClicks` of links and campaigns. */
@Injectable()
export class LinkGate {
  private readonly clientAddress: (request: RequestHead) => string;
  private readonly isSecure: (request: IncomingMessage) => boolean;

  constructor(
    private readonly passwords: LinkPasswords,
    private readonly attempts: LinkPasswordAttempts,
    private readonly passes: LinkPasses,
    private readonly pages: LinkPages,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
    this.isSecure = secureReader(config.trustProxy);
  }

  /**
   * Responds to requests that may not proceed.
   * @returns whether the request may proceed, which uses up a visit of a limited link
   * @throws if the link is limited and Postgres is unavailable
   */
  async admit(
    link: CachedTrackedLink,
    redirectRequest: DomainRequest,
    visitor: Visitor,
    response: ServerResponse,
  ): Promise<boolean> {
    const locked = lockedOf(link);
    if (locked && !this.passwords.admits(locked, redirectRequest.request)) {
      redirectRequest.traced?.('PASSWORD');
      this.pages.send(response, passwordPage(200, null), link.organizationId);
      return false;
    }
    if (link.maxClicks === null) return true;
    // Bots use up no visits, but are rejected once none are left.
    const person = isVisit(redirectRequest) && !visitor.isBot && !visitor.isPreview;
    const passes = await (person ? this.passes.take(link) : this.passes.anyLeft(link));
    if (!passes) {
      redirectRequest.traced?.('USED_UP');
      this.pages.closed(response, 'USED_UP', link, redirectRequest.domain);
    }
    return passes;
  }

  /** Handles a POST, which submits a link's password. */
  async submit(
    trackedLink: CachedTrackedLink | null,
    { request, domain, traced }: Submission,
    response: ServerResponse,
  ): Promise<void> {
    const closed = closedAs(trackedLink, this.clock.now());
    const found = closed === 'NOT_FOUND' ? null : trackedLink;
    const link = found && lockedOf(found);
    if (!link) {
      this.pages.methodNotAllowed(response, found?.organizationId ?? domain.organizationId);
      return;
    }
    traced(closed ?? 'PASSWORD');
    if (closed) this.pages.closed(response, closed, found, domain);
    else await this.answerForm(link, request, response);
  }

  private async answerForm(link: Locked, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    if (typeof form === 'number') {
      this.pages.send(
        response,
        messagePage(form, 'badRequest', { Connection: 'close' }),
        link.organizationId,
      );
      return;
    }
    const attempt = await this.attempts.attempt(
      link,
      form.get('password') ?? '',
      this.clientAddress(request),
    );
    if (attempt === 'RIGHT') this.grant(link, request, response);
    else if (attempt === 'BUSY') this.pages.unavailable(response, link.organizationId);
    else if (attempt === 'WRONG') {
      this.pages.send(
        response,
        passwordPage(403, (say) => say.wrong),
        link.organizationId,
      );
    } else {
      const minutes = Math.ceil(attempt.waitSeconds / 60);
      const page = passwordPage(429, (say) => say.tooOften(minutes));
      const headers = { 'Retry-After': String(attempt.waitSeconds) };
      this.pages.send(response, { ...page, headers }, link.organizationId);
    }
  }

  /** Redirects to the same URL with a cookie; the following GET is handled and counted like any other. */
  private grant(link: Locked, request: IncomingMessage, response: ServerResponse): void {
    const address = headerBytes(request.url ?? '/');
    const path = splitPath(address).path.replace(/(?<=.)\/$/, '');
    response.writeHead(303, {
      Location: address,
      'Set-Cookie': this.passwords.cookieFor(link, path, this.isSecure(request)),
      'Cache-Control': 'private, no-store',
      'Content-Length': '0',
    });
    response.end();
  }
}

export function isGated({ passwordHash, maxClicks }: CachedTrackedLink): boolean {
  return passwordHash !== null || maxClicks !== null;
}

function passwordPage(status: number, problem: ((say: Texts['password']) => string) | null): Html {
  return { status, template: 'redirect/pages/password', data: { problem }, form: 'onward' };
}
