import {
  PLATFORM_NUMBER,
  SESSION_PLATFORMS,
  type SessionPlatform,
  SUBJECT_KIND,
  type SubjectKind,
} from '../funnel';

export interface AppKey {
  organizationId: number;
  appId: number;
}

/** Subject of session and goal statistics: apps, or a link or campaign within them. */
export interface SessionSubject {
  organizationId: number;
  /** Null for all apps. */
  appId: number | null;
  kind: SubjectKind;
  /** Ids of the apps, or the id of the link or campaign, or ALL_OF_KIND. */
  ids: readonly number[];
  /** Platform to filter by; default: all. */
  platform?: SessionPlatform | null;
}

export function wholeApp({ organizationId, appId }: AppKey): SessionSubject {
  return { organizationId, appId, kind: 'app', ids: [appId] };
}

/** SQL condition on rollups of sessions and goals, with the parameters `subjectParameters`, first day, last day. */
export const OF_SUBJECT = `
  organization_id = $1 AND subject_kind = $2 AND subject_id = ANY ($3::bigint[]) AND ($4::bigint IS NULL OR app_id = $4)
    AND ($5::smallint IS NULL OR platform = $5) AND day BETWEEN $6 AND $7`;

export function subjectParameters({ organizationId, appId, kind, ids, platform }: SessionSubject): unknown[] {
  return [organizationId, SUBJECT_KIND[kind], ids, appId, platform ? PLATFORM_NUMBER[platform] : null];
}

/** The platform with a PLATFORM_NUMBER. */
export function platformOf(number: number): SessionPlatform {
  const platform = SESSION_PLATFORMS.find((each) => PLATFORM_NUMBER[each] === number);
  if (!platform) throw new Error(`There is no platform ${number}`);
  return platform;
}
