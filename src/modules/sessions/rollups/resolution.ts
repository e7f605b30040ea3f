import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { FailureReason, InstallPlatform } from '../funnel';
import type { TrackedLinkRef } from './funnel-sums';

/** An app's attempt to find out which link or campaign it was opened for. */
export interface Resolution {
  organizationId: number;
  appId: number;
  /** What was found, or asked for; null when nothing was. */
  trackedLink: TrackedLinkRef | null;
  /** What the app runs on; null for a web app. */
  platform: InstallPlatform | null;
  /** Whether it went by the device's fingerprint, rather than by a token or a code. */
  byFingerprint: boolean;
  /** null: it was resolved. */
  failure: FailureReason | null;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Its row of `deep_link_resolutions`, by the names of the columns. */
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
    target_kind: trackedLink && TRACKED_LINK_KIND[trackedLink.kind],
    target_id: trackedLink && trackedLink.id,
    by_fingerprint: byFingerprint,
    failure_reason: failure,
    attempted_at: new Date(at),
  };
}
