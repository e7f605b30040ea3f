import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import { type FailureReason, FUNNEL_TERM } from '../../common/funnel';
import type { FunnelFact, FunnelTarget } from './funnel-sums';

/** An app's attempt to find out which link or campaign it was opened for. */
export interface Resolution {
  organizationId: number;
  appId: number;
  /** What was found, or asked for; null when nothing was. */
  target: FunnelTarget | null;
  /** Whether it went by the device's fingerprint, rather than by a token or a code. */
  byFingerprint: boolean;
  /** null: it was resolved. */
  failure: FailureReason | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Deep-link resolutions. What they return belongs into FunnelRollups, in the same transaction. */
@Injectable()
export class Resolutions {
  async record(manager: EntityManager, resolution: Resolution): Promise<FunnelFact> {
    const { organizationId, appId, target, byFingerprint, failure, at } = resolution;
    await manager.query(INSERT, [
      organizationId,
      appId,
      target && TARGET_KIND[target.kind],
      target && target.id,
      byFingerprint,
      failure,
      new Date(at),
    ]);
    const terms: number[] = [FUNNEL_TERM.resolution];
    if (failure !== null) terms.push(FUNNEL_TERM.failure(failure));
    else terms.push(FUNNEL_TERM.resolved);
    if (failure === null && byFingerprint) terms.push(FUNNEL_TERM.resolvedByFingerprint);
    return { organizationId, target, appId, at, terms };
  }
}

const INSERT = `
  INSERT INTO deep_link_resolutions (organization_id, app_id, target_kind, target_id, by_fingerprint, failure_reason,
                                     attempted_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
