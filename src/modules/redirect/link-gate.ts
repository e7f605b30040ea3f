import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { LinkPasses } from '../links/link-passes';
import type { LinkTarget } from '../links/link-directory';
import { clientAddressReader, secureReader } from './client-address';
import { type AskedRequest, type Followed, isVisit } from './followed';
import { readForm } from './form-body';
import { type Html, sendHtml } from './html';
import { type Locked, LinkPasswords } from './link-passwords';
import { EXPIRED, METHOD_NOT_ALLOWED, sendPage, UNAVAILABLE, USED_UP } from './pages';
import type { Target } from './target';
import type { Visitor } from './visitor';

/** A link that not everybody may follow at any time. */
type Gated = LinkTarget;

/** What stands before links with a password or a limit, and nothing before all others. */
@Injectable()
export class LinkGate {
  private readonly clientAddress: (request: AskedRequest) => string;
  private readonly isSecure: (request: IncomingMessage) => boolean;

  constructor(
    private readonly passwords: LinkPasswords,
    private readonly passes: LinkPasses,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
    this.isSecure = secureReader(config.trustProxy);
  }

  /**
   * Answers those who may not go on.
   * @returns whether the request may go on; one visit of a limited link is used up then
   * @throws when Postgres can't be asked what is left of a limited link
   */
  async lets(link: Gated, followed: Followed, visitor: Visitor, response: ServerResponse): Promise<boolean> {
    const locked = lockedOf(link);
    if (locked && !this.passwords.admits(locked, followed.request)) {
      sendHtml(response, followed.head, passwordPage(200, null));
      return false;
    }
    if (link.maxClicks === null) return true;
    // Programs use nothing up, and find the link as it is.
    const person = isVisit(followed) && !visitor.isBot && !visitor.isPreview;
    const passes = await (person ? this.passes.take(link) : this.passes.anyLeft(link));
    if (!passes) sendPage(response, followed.head, USED_UP);
    return passes;
  }

  /** Answers a POST: the password of a link that has one. */
  async submit(target: Target | null, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const link = target?.kind === 'link' ? lockedOf(target) : null;
    if (!link) sendPage(response, false, METHOD_NOT_ALLOWED);
    else if (target && target.expiresAt !== null && target.expiresAt <= this.clock.now())
      sendPage(response, false, EXPIRED);
    else await this.answerForm(link, request, response);
  }

  private async answerForm(link: Locked, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    if (typeof form === 'number') {
      sendPage(response, false, { ...NO_FORM, status: form });
      return;
    }
    const attempt = await this.passwords.attempt(
      link,
      form.get('password') ?? '',
      this.clientAddress(request),
    );
    if (attempt === 'RIGHT') this.letIn(link, request, response);
    else if (attempt === 'BUSY') sendPage(response, false, UNAVAILABLE);
    else if (attempt === 'WRONG') {
      sendHtml(response, false, passwordPage(403, 'That is not the password. Please try again.'));
    } else {
      const minutes = Math.ceil(attempt.waitSeconds / 60);
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
      const page = passwordPage(429, `That was wrong too often. Please try again in ${wait}.`);
      sendHtml(response, false, { ...page, headers: { 'Retry-After': String(attempt.waitSeconds) } });
    }
  }

  /** To the same address again: the GET that follows is answered, and counted, like any other. */
  private letIn(link: Locked, request: IncomingMessage, response: ServerResponse): void {
    const address = (request.url ?? '/').replace(/[^\u0021-\u007e]/g, (text) => encodeURIComponent(text));
    const path = address.replace(/\?.*$/, '').replace(/(?<=.)\/$/, '');
    response.writeHead(303, {
      Location: address,
      'Set-Cookie': this.passwords.cookieFor(link, path, this.isSecure(request)),
      'Cache-Control': 'private, no-store',
      'Content-Length': '0',
    });
    response.end();
  }
}

const NO_FORM = {
  title: 'Not a password',
  text: 'Please open the link in a browser, and type its password there.',
  headers: { Connection: 'close' },
};

/** The link, when something stands before it. */
export function gatedOf(target: Target): Gated | null {
  if (target.kind !== 'link') return null;
  return target.passwordHash !== null || target.maxClicks !== null ? target : null;
}

function lockedOf({ id, passwordHash }: LinkTarget): Locked | null {
  return passwordHash === null ? null : { id, passwordHash };
}

function passwordPage(status: number, problem: string | null): Html {
  return { status, template: 'password', data: { problem }, form: true };
}
