import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import type { Utm } from '../clicks/click';
import { ClickRecorder } from '../clicks/click-recorder';
import { withRequestQuery } from '../domains/destination';
import { adPage, previewPage } from './answer-pages';
import { clientAddressReader } from './client-address';
import { customIdOf } from './custom-id';
import { decide, type Decision } from './decide';
import { DestinationChoice } from './destination-choice';
import { type Followed, isVisit } from './followed';
import { hostName, hostOfOrigin } from './host';
import { type Html, sendHtml } from './html';
import { gatedOf, LinkGate } from './link-gate';
import { EXPIRED, NOT_FOUND, sendPage } from './pages';
import type { Target } from './target';
import { type Visitor, visitorOf } from './visitor';

/** Answers a request for a link or campaign, once it is known which: decides, counts, and sends. */
@Injectable()
export class TargetAnswers {
  private readonly clientAddress: (request: IncomingMessage) => string;
  private readonly shortHost: string;

  constructor(
    private readonly clicks: ClickRecorder,
    private readonly gate: LinkGate,
    private readonly destinations: DestinationChoice,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
    this.shortHost = hostOfOrigin(config.shortUrlBase);
  }

  /** @param failed is told of an answer that could not be given, as no place took the click */
  send(
    response: ServerResponse,
    target: Target | null,
    followed: Followed,
    failed: (error: unknown) => void,
  ): void {
    const visitor = visitorOf(followed.request.headers['user-agent'] ?? '');
    const decision = decide(target, visitor, this.clock.now());
    if (!target || decision === 'NOT_FOUND' || decision === 'EXPIRED') {
      sendPage(response, followed.head, decision === 'EXPIRED' ? EXPIRED : NOT_FOUND);
      return;
    }
    const gated = gatedOf(target);
    if (!gated) {
      this.answer(response, target, followed, visitor, decision, failed);
      return;
    }
    this.gate
      .lets(gated, followed, visitor, response)
      .then((passes) => {
        if (passes) this.answer(response, target, followed, visitor, decision, failed);
      })
      .catch(failed);
  }

  private answer(
    response: ServerResponse,
    target: Target,
    followed: Followed,
    visitor: Visitor,
    decision: Decision,
    failed: (error: unknown) => void,
  ): void {
    const { request } = followed;
    const userAgent = request.headers['user-agent'] ?? '';
    const ip = () => this.clientAddress(request);
    const destination = this.destinations.of(target, visitor, userAgent, ip);
    const { location, utm } = withRequestQuery(destination, followed.query);
    const answer = () => {
      if (decision === 'REDIRECT') redirect(response, location);
      else if (decision === 'PREVIEW')
        sendAnswer(response, followed, previewPage(target, this.addressOf(followed), location));
      else sendAnswer(response, followed, adPage(target, location));
    };
    if (isVisit(followed)) this.count(target, followed, utm).then(answer).catch(failed);
    else answer();
  }

  /** Resolves when the click is kept: what is answered then is counted, whatever is killed. */
  private count(target: Target, { request, query, tracker }: Followed, utm: Utm | null): Promise<unknown> {
    const { headers } = request;
    return this.clicks.record({
      kind: target.kind,
      targetId: target.id,
      organizationId: target.organizationId,
      appIds: [target.iosAppId, target.androidAppId].filter((id) => id !== null),
      ip: this.clientAddress(request),
      userAgent: headers['user-agent'] ?? '',
      referrer: headers.referer ?? null,
      tracker,
      customId: target.kind === 'campaign' ? customIdOf(query) : null,
      utm,
      deduplicationWindowMinutes: target.deduplicationWindowMinutes,
    }).kept;
  }

  /** The address that was asked for, on whichever of our hosts. */
  private addressOf({ request }: Followed): string {
    const host = hostName(request.headers.host);
    const origin = host === this.shortHost ? this.config.shortUrlBase : `https://${host}`;
    return `${origin}${request.url ?? '/'}`;
  }
}

/** What leads nowhere on the web is no link. */
function sendAnswer(response: ServerResponse, { head }: Followed, page: Html | null): void {
  if (page) sendHtml(response, head, page);
  else sendPage(response, head, NOT_FOUND);
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
