import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { TrackedLinkRef } from './funnel-sums';

/** An app that was opened for the first time on a device: one a session, whose stage APP_INSTALLED says so. */
export interface AppInstall {
  organizationId: number;
  appId: number;
  /** The link or campaign that led to it; null when none is known. */
  trackedLink: TrackedLinkRef | null;
  sessionId: string;
  platform: 'iOS' | 'Android';
  /** ISO 3166-1 alpha-2; null when unknown. */
  country: string | null;
  osVersion: string | null;
  deviceModel: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Its row of `app_installs`, by the names of the columns. */
export function toInstallRow(install: AppInstall) {
  const { organizationId, appId, trackedLink, sessionId, platform, country, osVersion, deviceModel, at } =
    install;
  return {
    organization_id: organizationId,
    app_id: appId,
    target_kind: trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
    target_id: trackedLink && trackedLink.id,
    session_id: sessionId,
    platform,
    country,
    os_version: osVersion,
    device_model: deviceModel,
    installed_at: new Date(at),
  };
}
