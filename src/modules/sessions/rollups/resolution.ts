import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { FailureReason, InstallPlatform } from '../funnel';
import type { TrackedLinkRef } from './funnel-sums';

/** An app's attempt to resolve the link or campaign that opened it. */
export interface Resolution {
  organizationId: number;
  appId: number;
  /** The link or campaign that was found or requested, if any. */
  trackedLink: TrackedLinkRef | null;
  /** Platform of the app; null for a web app. */
  platform: InstallPlatform | null;
  /** Whether it was resolved by the device's fingerprint instead of a token or code. */
  byFingerprint: boolean;
  /** Null if the attempt succeeded. */
  failure: FailureReason | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The row of `deep_link_resolutions`, by column name. */
export function toResolutionRow({
  organizationId,
  appId,
  trackedLink,
  byFingerprint,
  failure,
  at,
}: Resolution) {
  return {
    organization_id: organizationId,
    app_id: appId,
    kind: trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
    tracked_link_id: trackedLink && trackedLink.id,
    by_fingerprint: byFingerprint,
    failure_reason: failure,
    attempted_at: new Date(at),
  };
}
