import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HotCounter, HotHistogram } from '../../../infrastructure/metrics/hot-counters';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import type { RequestHead } from '../redirect-request';
import { ANSWERS, type Observed, observedOf } from './answer';
import { RedirectLog } from './redirect-log';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

const KINDS = ['link', 'campaign', 'none'] as const;
/** In seconds. A redirect from memory takes a fraction of a millisecond, and one that waits for a store up to 2.5 s. */
const BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts, times and logs responses on short domains. */
@Injectable()
export class RedirectObserver {
  private readonly redirects = new HotCounter('waypost_redirects_total', 'Answers of short domains', {
    answer: ANSWERS,
    kind: KINDS,
  });
  private readonly durations = new HotHistogram(
    'waypost_redirect_duration_seconds',
    'Time from a request to a short domain to its answer',
    BUCKETS,
  );
  private readonly linkRedirects = this.redirects.index({ answer: 'redirect', kind: 'link' });
  private readonly campaignRedirects = this.redirects.index({ answer: 'redirect', kind: 'campaign' });

  constructor(
    metrics: Metrics,
    private readonly log: RedirectLog,
  ) {
    metrics.register(this.redirects);
    metrics.register(this.durations);
  }

  /** Observes a request until its response has been sent. It is not counted if the client disconnects before. */
  observe(request: RequestHead, response: ServerResponse): Observed {
    const observed = observedOf(request, performance.now());
    response.once('finish', () => this.answered(observed, response.statusCode));
    return observed;
  }

  /** Counts a redirect of the fast path. @param now by `performance.now()` */
  redirected(
    request: RequestHead,
    host: string,
    trackedLink: CachedTrackedLink,
    startedAt: number,
    now: number,
  ): void {
    const { counts } = this.redirects;
    (counts[trackedLink.kind === 'link' ? this.linkRedirects : this.campaignRedirects] as number)++;
    this.durations.observe((now - startedAt) / 1_000);
    if (this.log.samples()) {
      this.log.write({ request, host, trackedLink, startedAt, answer: 'redirect' }, 302, now);
    }
  }

  private answered(observed: Observed, status: number): void {
    if (status === 503) observed.answer = 'unavailable';
    const { answer, trackedLink, startedAt } = observed;
    const now = performance.now();
    (this.redirects.counts[this.redirects.index({ answer, kind: trackedLink?.kind ?? 'none' })] as number)++;
    this.durations.observe((now - startedAt) / 1_000);
    if (this.log.samples()) this.log.write(observed, status, now);
  }
}
