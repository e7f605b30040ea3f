import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sanitizeText } from '../../../common/sanitize-text';
import { uuidV7 } from '../../../common/uuid';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import { parseTokenKey, type TokenKey } from './app-page-tokens';
import { ClickEffect } from '../../click-statistics/counting/click-effect';
import type { EnrichedClick } from '../../click-statistics/enriched-click';
import { type Click, TRACKED_LINK_KIND } from '../../clicks/click';
import { agentOf, referrerHost } from '../../clicks/visitor-facts';
import { Visitors } from '../../clicks/visitors';
import { SessionWebhooks } from '../../sessions/events/session-webhooks';
import { INSTALL_PLATFORMS, type SessionPlatform } from '../../sessions/funnel';
import { SessionDeltas } from '../../sessions/rollups/session-deltas';
import { SessionRollups } from '../../sessions/rollups/session-rollups';
import { newSession, type Session, withStage } from '../../sessions/session';
import { SessionsRepository } from '../../sessions/sessions.repository';
import { knownAgent } from '../../sessions/stored-device';
import type { Tx } from '../../../infrastructure/database/database';

interface PageClick {
  click: Click;
  key: TokenKey;
  /** Null for a click that is not counted: a duplicate, or a bot's. */
  session: Session | null;
}

/**
 * For clicks that opened an app page, stores the token and starts a session, in the transaction that counts the click.
 */
@Injectable()
export class AppPageClicks extends ClickEffect implements OnModuleInit {
  constructor(
    private readonly visitors: Visitors,
    private readonly sessions: SessionsRepository,
    private readonly rollups: SessionRollups,
    private readonly events: SessionWebhooks,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.visitors.loadAddressSalt();
  }

  override async apply(
    tx: Tx,
    counted: readonly EnrichedClick[],
    filtered: readonly EnrichedClick[],
  ): Promise<void> {
    const sums = new SessionDeltas();
    for (const { click, isBot } of counted) {
      if (!isBot && (click.appIds.length > 0 || click.kind === 'campaign')) {
        const trackedLink = { kind: click.kind, id: click.trackedLinkId };
        const read = agentOf(click.userAgent);
        const os = click.reportedAgent?.[1] ?? read.platform ?? read.os;
        const platform = INSTALL_PLATFORMS.find((each) => each === os) ?? null;
        sums.funnel.addClick({ ...click, trackedLink, platform });
      }
    }
    const pages = pageClicks(counted, filtered);
    if (pages.length > 0) await this.open(tx, pages, sums);
    await this.rollups.write(tx, sums);
  }

  private async open(tx: Tx, pages: readonly PageClick[], sums: SessionDeltas): Promise<void> {
    const visited = await this.keepTokens(tx, pages);
    const begun = pages.flatMap(({ key, session }) => {
      if (!session) return [];
      const { startedAt } = session;
      const clicked = { ...session, ...withStage(session, 'CLICKED', startedAt) };
      const isVisited = visited.has(key.hash);
      return [isVisited ? { ...clicked, ...withStage(clicked, 'STORE_VISITED', startedAt) } : clicked];
    });
    if (begun.length === 0) return;
    await this.sessions.insert(tx, begun);
    for (const session of begun) sums.addSession(null, session);
    await this.events.addBegun(tx, begun);
  }

  /** @returns hashes of the tokens whose pages have already sent their visitor to the store */
  private async keepTokens(tx: Tx, pages: readonly PageClick[]): Promise<Set<string>> {
    const clicks = pages.map(({ click }) => click);
    const rows = await tx.query<{ hash: Buffer; visited: boolean }>(KEEP, [
      intArray(pages.map(({ key }) => key.issuedAt)),
      pages.map(({ key }) => Buffer.from(key.hash, 'base64url')),
      intArray(clicks.map((click) => click.organizationId)),
      intArray(clicks.map((click) => TRACKED_LINK_KIND[click.kind])),
      intArray(clicks.map((click) => click.trackedLinkId)),
      intArray(clicks.map((click) => appIdsOf(click)[0] ?? null)),
      intArray(clicks.map((click) => click.id)),
      pages.map(({ session }) => session && session.id),
      // Clicks that lead to a web site are never matched by IP address.
      clicks.map((click) => (click.appPage?.forSite ? null : this.visitors.addressHash(click.ip))),
      clicks.map((click) => (click.appPage?.forSite ? null : sanitizeText(click.userAgent, MAX_USER_AGENT))),
      intArray(clicks.map((click) => appIdsOf(click)[1] ?? null)),
    ]);
    return new Set(rows.filter((row) => row.visited).map((row) => row.hash.toString('base64url')));
  }
}

const MAX_USER_AGENT = 1_000;

/** Clicks with a token, without duplicates, sorted by the table's key to avoid deadlocks. */
function pageClicks(counted: readonly EnrichedClick[], filtered: readonly EnrichedClick[]): PageClick[] {
  const pages = new Map<string, PageClick>();
  const add = (enriched: EnrichedClick, counts: boolean) => {
    const { click, isBot } = enriched;
    if (!click.appPage || pages.has(click.appPage.tokenKey)) return;
    const session = counts && !isBot ? sessionOf(enriched) : null;
    pages.set(click.appPage.tokenKey, { click, key: parseTokenKey(click.appPage.tokenKey), session });
  };
  for (const enriched of counted) add(enriched, true);
  for (const enriched of filtered) add(enriched, false);
  return [...pages.values()].sort(
    (a, b) => a.key.issuedAt - b.key.issuedAt || (a.key.hash < b.key.hash ? -1 : 1),
  );
}

function sessionOf({ click, countryCode, visit }: EnrichedClick): Session {
  const { organizationId, kind, trackedLinkId, at, userAgent, referrer, customId } = click;
  const { os } = agentOf(userAgent);
  const device = knownAgent(userAgent);
  const [utmSource = null, utmMedium = null, utmTerm = null, utmContent = null] = (click.utm ?? []).map(
    (value) => value && sanitizeText(value),
  );
  return newSession({
    organizationId,
    id: uuidV7(at),
    appId: appIdsOf(click)[0] ?? null,
    trackedLink: { kind, id: trackedLinkId },
    platform: (click.appPage?.forSite ? null : PLATFORMS[os]) ?? 'WEB',
    startedAt: new Date(at),
    day: visit.day,
    clickId: click.id,
    deviceInfo: Object.keys(device).length > 0 ? device : null,
    ...{ utmSource, utmMedium, utmTerm, utmContent },
    referrer: referrer === null ? null : referrerHost(referrer),
    country: countryCode,
    customId: customId === null ? null : sanitizeText(customId) || null,
  });
}

function appIdsOf({ appPage, appIds }: Click): readonly number[] {
  return appPage?.forSite ? [] : appIds;
}

const PLATFORMS: Partial<Record<string, SessionPlatform>> = { iOS: 'IOS', Android: 'ANDROID' };

// The page's fingerprint or store visit may have been stored before the click is counted.
const KEEP = `
  INSERT INTO deep_link_tokens AS stored (issued_at, token_hash, organization_id, kind, tracked_link_id, app_id,
                                          other_app_id, click_id, session_id, ip_hash, user_agent)
  SELECT to_timestamp(issued_at / 1000.0), token_hash, organization_id, kind, tracked_link_id, app_id, other_app_id,
         click_id, session_id::uuid, decode(ip_hash, 'hex'), user_agent
    FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[], $7::bigint[],
                $8::text[], $9::text[], $10::text[], $11::bigint[])
      AS t (issued_at, token_hash, organization_id, kind, tracked_link_id, app_id, click_id, session_id, ip_hash,
            user_agent, other_app_id)
  ON CONFLICT (issued_at, token_hash, organization_id) DO UPDATE
     SET kind = excluded.kind, tracked_link_id = excluded.tracked_link_id, app_id = excluded.app_id,
         other_app_id = excluded.other_app_id, click_id = excluded.click_id,
         session_id = coalesce(stored.session_id, excluded.session_id), ip_hash = excluded.ip_hash,
         user_agent = coalesce(stored.user_agent, excluded.user_agent)
  RETURNING token_hash AS hash, store_visited_at IS NOT NULL AS visited`;
