import {
  PLATFORM_NUMBER,
  SESSION_PLATFORMS,
  type SessionPlatform,
  SUBJECT_KIND,
  type SubjectKind,
} from '../funnel';

/** An app of an organization. */
export interface AppKey {
  organizationId: number;
  appId: number;
}

/** Whose sessions and goals are asked for: an app's, all of them or those that one link or campaign led to it. */
export interface JourneySubject extends AppKey {
  kind: SubjectKind;
  /** The app itself, or the link or campaign; ALL_OF_KIND. */
  id: number;
  /** Only those of this platform; all unless given. */
  platform?: SessionPlatform | null;
}

/** All of an app. */
export function wholeApp({ organizationId, appId }: AppKey): JourneySubject {
  return { organizationId, appId, kind: 'app', id: appId };
}

/** The condition of rollups of sessions and goals, for `subjectParameters` and the first and last day after them. */
export const OF_SUBJECT = `
  organization_id = $1 AND subject_kind = $2 AND subject_id = $3 AND app_id = $4
    AND ($5::smallint IS NULL OR platform = $5) AND day BETWEEN $6 AND $7`;

export function subjectParameters({ organizationId, appId, kind, id, platform }: JourneySubject): unknown[] {
  return [organizationId, SUBJECT_KIND[kind], id, appId, platform ? PLATFORM_NUMBER[platform] : null];
}

/** The platform that a number of the rollups means. */
export function platformOf(number: number): SessionPlatform {
  const platform = SESSION_PLATFORMS.find((each) => PLATFORM_NUMBER[each] === number);
  if (!platform) throw new Error(`There is no platform ${number}`);
  return platform;
}
