import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import type { Utm } from '../clicks/click';
import { ClickRecorder } from '../clicks/click-recorder';
import { withRequestQuery } from '../domains/destination';
import { clientAddressReader } from './client-address';
import { decide } from './decide';
import { type Followed, isVisit } from './followed';
import { EXPIRED, NOT_FOUND, sendPage } from './pages';
import type { Target } from './target';

/** Answers a request for a link or campaign, once it is known which: decides, counts, and sends. */
@Injectable()
export class TargetAnswers {
  private readonly clientAddress: (request: IncomingMessage) => string;

  constructor(
    private readonly clicks: ClickRecorder,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
  }

  /** @param failed is told of an answer that could not be given, as no place took the click */
  send(
    response: ServerResponse,
    target: Target | null,
    followed: Followed,
    failed: (error: unknown) => void,
  ): void {
    const decision = decide(target, this.clock.now());
    if (!target || decision !== 'REDIRECT') {
      sendPage(response, followed.head, decision === 'EXPIRED' ? EXPIRED : NOT_FOUND);
      return;
    }
    const { location, utm } = withRequestQuery(target.destination, followed.query);
    if (!isVisit(followed)) {
      redirect(response, location);
      return;
    }
    this.count(target, followed, utm).then(() => redirect(response, location), failed);
  }

  /** Resolves when the click is kept: what is answered then is counted, whatever is killed. */
  private count(target: Target, { request, tracker }: Followed, utm: Utm | null): Promise<unknown> {
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
      customId: null,
      utm,
      deduplicationWindowMinutes: target.deduplicationWindowMinutes,
    }).kept;
  }
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
