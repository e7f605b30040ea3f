import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { TrackedLinkRef } from './funnel-sums';

/** The first start of an app on a device, at most one per session, which then reaches the stage APP_INSTALLED. */
export interface AppInstall {
  organizationId: number;
  appId: number;
  /** The link or campaign that led to the install; null if unknown. */
  trackedLink: TrackedLinkRef | null;
  sessionId: string;
  platform: 'iOS' | 'Android';
  /** ISO 3166-1 alpha-2; null if unknown. */
  country: string | null;
  osVersion: string | null;
  deviceModel: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The row of `app_installs`, by column name. */
export function toInstallRow(install: AppInstall) {
  const { organizationId, appId, trackedLink, sessionId, platform, country, osVersion, deviceModel, at } =
    install;
  return {
    organization_id: organizationId,
    app_id: appId,
    kind: trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
    tracked_link_id: trackedLink && trackedLink.id,
    session_id: sessionId,
    platform,
    country,
    os_version: osVersion,
    device_model: deviceModel,
    installed_at: new Date(at),
  };
}
