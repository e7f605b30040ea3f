/** Kinds of tracked links, by their number in the database. */
export const TRACKED_LINK_KIND = { link: 1, campaign: 2 } as const;
export type TrackedLinkKind = keyof typeof TRACKED_LINK_KIND;

/** The kind that a number of the database stands for. */
export function trackedLinkKindOf(number: number): TrackedLinkKind {
  return number === TRACKED_LINK_KIND.campaign ? 'campaign' : 'link';
}

/** utm values of the visit: source, medium, term, content. */
export type Utm = readonly [string | null, string | null, string | null, string | null];

/**
 * Asks that a click counts only if this address has not just clicked the same tracked link
 * (docs/concepts/counting.md#de-duplication).
 */
export interface DedupLock {
  /** Keyed hash of the client address, hexadecimal. */
  address: string;
  windowMs: number;
  /** Whether Postgres has granted it already, so that the consumer need not ask again. */
  settled: boolean;
}

/** A click that was answered with a token. */
export interface AppPage {
  /** Whether the token stands in the destination, for the site, rather than in the page that opens an app. */
  forSite?: boolean;
  /** What is kept of the token; deep-links gives it out and understands it. */
  tokenKey: string;
  /** False for a click that de-duplication refused: its token works, and it is in no figure. */
  counted: boolean;
}

/** What an SDK says of the device, as statistics name it. */
export type SaidAgent = readonly [browser: string, os: string, deviceType: string];

/** A click as the journal carries it: what the request said, nothing derived. */
export interface Click {
  /** Given before it is journaled, so that replaying it is harmless. */
  id: number;
  /** Milliseconds since the epoch. */
  at: number;
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** The apps that the tracked link is tied to, at most two; first the one that the visit is for. */
  appIds: readonly number[];
  ip: string;
  userAgent: string;
  referrer: string | null;
  tracker: string | null;
  customId: string | null;
  utm: Utm | null;
  claim: DedupLock | null;
  appPage: AppPage | null;
  /** Of a click that an SDK records: its user agent is that of a library, and a person's all the same. */
  saidAgent?: SaidAgent | null;
}

/** Printable ASCII but for quotation marks and backslashes. */
const NOTHING_TO_ESCAPE = /^[ !#-[\]-~]*$/;

/** Rare fields come last: what a line leaves out at its end is null. */
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
  claim?: [address: string, windowMs: number, settled: boolean] | null,
  otherAppId?: number | null,
  appPage?: [tokenKey: string, counted: boolean, forSite?: boolean] | null,
  saidAgent?: SaidAgent | null,
];

/**
 * One line of JSON without a line break: the form of the stream, the journal table and the spool. Put together by
 * hand, as every redirect pays for it; `Line` says what stands where.
 */
export function encodeClick(c: Click): string {
  const head = `[${c.id},${c.at},${TRACKED_LINK_KIND[c.kind]},${c.trackedLinkId},${c.organizationId}`;
  const referrer = c.referrer === null ? 'null' : quoted(c.referrer);
  return `${head},${quoted(c.ip)},${quoted(c.userAgent)},${referrer}${rareFields(c)}]`;
}

/** As `JSON.stringify`, which takes twice as long for texts in which there is nothing to escape. */
function quoted(text: string): string {
  return NOTHING_TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text);
}

function rareFields({ appIds, utm, tracker, customId, claim, appPage, saidAgent = null }: Click): string {
  const last = appPage !== null || saidAgent !== null;
  const rare = utm !== null || tracker !== null || customId !== null || claim !== null || last;
  if (appIds.length === 0 && !rare) return '';
  const [appId = null, otherAppId = null] = appIds;
  const claimFields = claim && [claim.address, claim.windowMs, claim.settled];
  const fields: unknown[] = [appId, utm, tracker, customId, claimFields];
  if (otherAppId !== null || last) fields.push(otherAppId);
  if (last) fields.push(appPage && [appPage.tokenKey, appPage.counted, ...(appPage.forSite ? [true] : [])]);
  if (saidAgent) fields.push(saidAgent);
  return `,${JSON.stringify(fields).slice(1, -1)}`;
}

export function decodeClick(line: string): Click {
  const [id, at, kind, trackedLinkId, organizationId, ip, userAgent, referrer, ...rare] = JSON.parse(
    line,
  ) as Line;
  const [appId = null, utm = null, tracker = null, customId = null, claim = null, ...last] = rare;
  const [otherAppId = null, appPage = null, saidAgent = null] = last;
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
    claim: claim && { address: claim[0], windowMs: claim[1], settled: claim[2] },
    appPage: appPage && {
      tokenKey: appPage[0],
      counted: appPage[1],
      ...(appPage[2] && { forSite: true }),
    },
    ...(saidAgent && { saidAgent }),
  };
}
