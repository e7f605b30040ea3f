import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../../../common/logging/logger';
import { Config } from '../../../config/config';
import { agentOf, Countries } from '../../clicks/visitor-facts';
import { clientAddressReader, type RequestHead } from '../redirect-request';
import type { Observed } from './answer';

/**
 * The log enabled by REDIRECT_LOG: a line for each response, or for a share of them (docs/operations.md#redirect-log).
 */
@Injectable()
export class RedirectLog {
  private readonly rate: number;
  private readonly logger: Logger;
  private readonly clientAddress: (request: RequestHead) => string;
  /** Sum of the sampling rate over responses since the last sampled one. */
  private due = 0;

  constructor(
    private readonly countries: Countries,
    @Inject(LOGGER) logger: Logger,
    { redirect, trustProxy }: Config,
  ) {
    this.rate = redirect.logRate;
    // Independent of LOG_LEVEL, which is about the service and not about visits.
    this.logger = logger.child({}, { level: 'info' });
    this.clientAddress = clientAddressReader(trustProxy);
  }

  /**
   * Whether the next response is logged. Samples are evenly spaced, because a random number costs more than a counter.
   */
  samples(): boolean {
    if (this.rate === 0) return false;
    this.due += this.rate;
    if (this.due < 1) return false;
    this.due -= 1;
    return true;
  }

  /**
   * Writes a line without path, IP address and user agent, which identify visitors. @param now by `performance.now()`
   */
  write({ request, host, trackedLink, answer, startedAt }: Observed, status: number, now: number): void {
    this.logger.info(
      {
        host,
        kind: trackedLink?.kind ?? null,
        id: trackedLink?.id ?? null,
        organizationId: trackedLink?.organizationId ?? null,
        answer,
        status,
        ms: Math.round((now - startedAt) * 100) / 100,
        bot: agentOf(request.headers['user-agent'] ?? '').isBot,
        country: this.countries.of(this.clientAddress(request)),
      },
      'redirect',
    );
  }
}
