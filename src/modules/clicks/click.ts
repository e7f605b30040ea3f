/** Kinds of tracked links, with the numbers that the database stores. */
export const TRACKED_LINK_KIND = { link: 1, campaign: 2 } as const;
export type TrackedLinkKind = keyof typeof TRACKED_LINK_KIND;

export function trackedLinkKindOf(number: number): TrackedLinkKind {
  return number === TRACKED_LINK_KIND.campaign ? 'campaign' : 'link';
}

export type Utm = readonly [
  source: string | null,
  medium: string | null,
  term: string | null,
  content: string | null,
  campaign?: string | null,
];

/**
 * De-duplication of a click: it counts only if its address acquires the lock on the tracked link
 * (docs/concepts/counting.md#de-duplication).
 */
export interface DedupLock {
  /** Keyed hash of the client IP address, in hexadecimal. */
  address: string;
  windowMs: number;
  /** Whether the lock has been acquired in Postgres, so that consumers need not acquire it. */
  settled: boolean;
}

/** The token in the response to a click. */
export interface AppPage {
  /** Whether the token is in the destination URL, for a website, instead of in the page that opens an app. */
  forSite?: boolean;
  /** Stored key of the token. The attribution module issues and resolves tokens. */
  tokenKey: string;
  /** False for a click that de-duplication has filtered out: its token works, but no statistic includes it. */
  counted: boolean;
}

/** A device reported by an SDK, by the names used in statistics. */
export type ReportedAgent = readonly [browser: string, os: string, deviceType: string];

/** A journaled click, with values of the request only. */
export interface Click {
  /** Assigned before the click is journaled, which makes replays idempotent. */
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** Apps of the tracked link, at most two, starting with the one that the visit is for. */
  appIds: readonly number[];
  ip: string;
  userAgent: string;
  referrer: string | null;
  tracker: string | null;
  customId: string | null;
  utm: Utm | null;
  /** Null if the click counts without de-duplication. */
  dedup: DedupLock | null;
  appPage: AppPage | null;
  /** Set for clicks reported by an SDK. Such a click counts as a person's, although its user agent is a library's. */
  reportedAgent?: ReportedAgent | null;
  /** URL of the link's variant that the visitor was sent to. */
  variant?: string | null;
}

/** Printable ASCII without quotation marks and backslashes. */
const NOTHING_TO_ESCAPE = /^[ !#-[\]-~]*$/;

/** Fields by position. Rare fields are last, so that a line can omit them; omitted fields are null. */
type Line = [
  id: number,
  at: number,
  kind: number,
  trackedLinkId: number,
  organizationId: number,
  ip: string,
  userAgent: string,
  referrer: string | null,
  appId?: number | null,
  utm?: Utm | null,
  tracker?: string | null,
  customId?: string | null,
  dedup?: [address: string, windowMs: number, settled: boolean] | null,
  otherAppId?: number | null,
  appPage?: [tokenKey: string, counted: boolean, forSite?: boolean] | null,
  reportedAgent?: ReportedAgent | null,
  variant?: string | null,
];

/**
 * Encodes a click for the stream, the journal table and the spool: a JSON array (`Line`) without line breaks.
 * Concatenated by hand, because every redirect does it.
 */
export function encodeClick(c: Click): string {
  const head = `[${c.id},${c.at},${TRACKED_LINK_KIND[c.kind]},${c.trackedLinkId},${c.organizationId}`;
  const referrer = c.referrer === null ? 'null' : quoted(c.referrer);
  return `${head},${quoted(c.ip)},${quoted(c.userAgent)},${referrer}${rareFields(c)}]`;
}

/** A faster `JSON.stringify` for strings that need no escaping. */
function quoted(text: string): string {
  return NOTHING_TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text);
}

function rareFields(click: Click): string {
  const { appIds, utm, tracker, customId, dedup, appPage, reportedAgent = null, variant = null } = click;
  const last = appPage !== null || reportedAgent !== null || variant !== null;
  const rare = utm !== null || tracker !== null || customId !== null || dedup !== null || last;
  if (appIds.length === 0 && !rare) return '';
  const [appId = null, otherAppId = null] = appIds;
  const dedupFields = dedup && [dedup.address, dedup.windowMs, dedup.settled];
  const fields: unknown[] = [appId, utm, tracker, customId, dedupFields];
  if (otherAppId !== null || last) fields.push(otherAppId);
  if (last) fields.push(appPage && [appPage.tokenKey, appPage.counted, ...(appPage.forSite ? [true] : [])]);
  if (reportedAgent !== null || variant !== null) fields.push(reportedAgent);
  if (variant !== null) fields.push(variant);
  return `,${JSON.stringify(fields).slice(1, -1)}`;
}

export function decodeClick(line: string): Click {
  const [id, at, kind, trackedLinkId, organizationId, ip, userAgent, referrer, ...rare] = JSON.parse(
    line,
  ) as Line;
  const [appId = null, utm = null, tracker = null, customId = null, dedup = null, ...last] = rare;
  const [otherAppId = null, appPage = null, reportedAgent = null, variant = null] = last;
  return {
    id,
    at,
    kind: trackedLinkKindOf(kind),
    trackedLinkId,
    organizationId,
    appIds: [appId, otherAppId].filter((app) => app !== null),
    ip,
    userAgent,
    referrer,
    tracker,
    customId,
    utm,
    dedup: dedup && { address: dedup[0], windowMs: dedup[1], settled: dedup[2] },
    appPage: appPage && {
      tokenKey: appPage[0],
      counted: appPage[1],
      ...(appPage[2] && { forSite: true }),
    },
    ...(reportedAgent && { reportedAgent }),
    ...(variant !== null && { variant }),
  };
}
