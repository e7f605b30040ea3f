import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import { FUNNEL_TERM } from '../../common/funnel';
import type { FunnelFact, FunnelTarget } from './funnel-sums';

/** An app that was opened for the first time on a device. */
export interface AppInstall {
  organizationId: number;
  appId: number;
  /** The link or campaign that led to it; null when none is known. */
  target: FunnelTarget | null;
  sessionId: string;
  platform: 'iOS' | 'Android';
  /** ISO 3166-1 alpha-2; null when unknown. */
  country: string | null;
  osVersion: string | null;
  deviceModel: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Installs, one a session. What they return belongs into FunnelRollups, in the same transaction. */
@Injectable()
export class AppInstalls {
  /** @returns what the rollups have to count; null when the session's install is known already */
  async record(manager: EntityManager, install: AppInstall): Promise<FunnelFact | null> {
    const { organizationId, appId, target, sessionId, platform, country, osVersion, deviceModel, at } =
      install;
    const rows = await manager.query<unknown[]>(INSERT, [
      organizationId,
      appId,
      target && TARGET_KIND[target.kind],
      target && target.id,
      sessionId,
      platform,
      country,
      osVersion,
      deviceModel,
      new Date(at),
    ]);
    if (rows.length === 0) return null;
    const terms = [FUNNEL_TERM.country(country)];
    return { organizationId, target, appId, at, terms, installedOn: platform };
  }
}

const INSERT = `
  INSERT INTO app_installs (organization_id, app_id, target_kind, target_id, session_id, platform, country, os_version,
                            device_model, installed_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (organization_id, session_id) DO NOTHING
  RETURNING id`;
