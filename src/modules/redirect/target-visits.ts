import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ClickRecorder } from '../clicks/click-recorder';
import type { Destination } from '../domains/destination';
import { clientAddressReader } from './client-address';
import { customIdOf } from './custom-id';
import type { AskedRequest, Followed } from './followed';
import type { Target } from './target';

/** The page that opens an app, when that is the answer. */
export interface OpenedApp {
  appId: number;
  tokenKey: string;
}

/** Records visits of links and campaigns. */
@Injectable()
export class TargetVisits {
  /** The visitor's IP address. */
  readonly addressOf: (request: AskedRequest) => string;

  constructor(
    private readonly clicks: ClickRecorder,
    @Inject(CONFIG) config: Config,
  ) {
    this.addressOf = clientAddressReader(config.trustProxy);
  }

  /** Resolves when the click is kept: what is answered then is counted, whatever is killed. @throws when no place takes it */
  record(
    target: Target,
    { request, query, tracker }: Followed,
    utm: Destination['utm'],
    opened: OpenedApp | null = null,
  ): Promise<unknown> {
    const { headers } = request;
    const appIds = appIdsOf(target);
    return this.clicks.record({
      kind: target.kind,
      targetId: target.id,
      organizationId: target.organizationId,
      // First the one that the visit is for.
      appIds: opened ? [opened.appId, ...appIds.filter((id) => id !== opened.appId)] : appIds,
      ip: this.addressOf(request),
      userAgent: headers['user-agent'] ?? '',
      referrer: headers.referer ?? null,
      tracker,
      customId: target.kind === 'campaign' ? customIdOf(query) : null,
      utm,
      deduplicationWindowMinutes: target.deduplicationWindowMinutes,
      tokenKey: opened?.tokenKey,
    }).kept;
  }
}

const NO_APPS: readonly number[] = [];

function appIdsOf({ iosAppId, androidAppId }: Target): readonly number[] {
  // Most have none, and every redirect asks.
  if (iosAppId === null && androidAppId === null) return NO_APPS;
  return [iosAppId, androidAppId].filter((id) => id !== null);
}
