import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import type { Stage } from '../../common/funnel';
import { uuidV7 } from '../../common/uuid';
import type { Click } from '../clicks/click';
import { ClickEffect } from '../clicks/click-effect';
import type { EnrichedClick } from '../clicks/enriched-click';
import { intArray } from '../clicks/sql-arrays';
import { agentOf } from '../clicks/visit';
import { storable } from '../clicks/storable';
import { Visitors } from '../clicks/visitors';
import { parseTokenKey, type TokenKey } from './app-page-tokens';
import { FunnelRollups } from './funnel-rollups';
import { type FunnelSession, FunnelSessions, type SessionPlatform } from './funnel-sessions';
import { FunnelSums } from './funnel-sums';

interface PageClick {
  click: Click;
  key: TokenKey;
  /** None for a click that is in no figure: a repeated one, or a bot's. */
  session: FunnelSession | null;
}

/** What a click that opens the app page makes, with the click: its token's row and a funnel session. */
@Injectable()
export class AppPageClicks extends ClickEffect implements OnModuleInit {
  constructor(
    private readonly visitors: Visitors,
    private readonly sessions: FunnelSessions,
    private readonly rollups: FunnelRollups,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.visitors.loadAddressSalt();
  }

  override async apply(
    manager: EntityManager,
    counted: readonly EnrichedClick[],
    filtered: readonly EnrichedClick[],
  ): Promise<void> {
    const sums = new FunnelSums();
    for (const { click, isBot } of counted) {
      if (!isBot && (click.appIds.length > 0 || click.kind === 'campaign')) {
        sums.addClick(click.organizationId, { kind: click.kind, id: click.targetId }, click.appIds, click.at);
      }
    }
    const pages = pageClicks(counted, filtered);
    if (pages.length > 0) {
      const visited = await this.keepTokens(manager, pages);
      const begun = pages.flatMap(({ key, session }) => {
        const stages: Stage[] = visited.has(key.hash) ? ['CLICKED', 'STORE_VISITED'] : ['CLICKED'];
        return session ? [{ session, stages }] : [];
      });
      for (const fact of await this.sessions.begin(manager, begun)) sums.add(fact);
    }
    await this.rollups.write(manager, sums);
  }

  /** @returns hashes of the tokens whose pages have gone to the store already */
  private async keepTokens(manager: EntityManager, pages: readonly PageClick[]): Promise<Set<string>> {
    const clicks = pages.map(({ click }) => click);
    const rows = await manager.query<{ hash: Buffer; visited: boolean }[]>(KEEP, [
      intArray(pages.map(({ key }) => key.issuedAt)),
      pages.map(({ key }) => Buffer.from(key.hash, 'base64url')),
      intArray(clicks.map((click) => click.organizationId)),
      intArray(clicks.map((click) => TARGET_KIND[click.kind])),
      intArray(clicks.map((click) => click.targetId)),
      intArray(clicks.map((click) => click.appIds[0] ?? null)),
      intArray(clicks.map((click) => click.id)),
      pages.map(({ session }) => session && session.id),
      clicks.map((click) => this.visitors.addressHash(click.ip)),
      clicks.map((click) => storable(click.userAgent, MAX_USER_AGENT)),
    ]);
    return new Set(rows.filter((row) => row.visited).map((row) => row.hash.toString('base64url')));
  }
}

const MAX_USER_AGENT = 1_000;

/** Clicks with a token, each once, in the order of the table's key. */
function pageClicks(counted: readonly EnrichedClick[], filtered: readonly EnrichedClick[]): PageClick[] {
  const pages = new Map<string, PageClick>();
  const add = ({ click, isBot }: EnrichedClick, counts: boolean) => {
    if (!click.appPage || pages.has(click.appPage.tokenKey)) return;
    const session = counts && !isBot ? sessionOf(click) : null;
    pages.set(click.appPage.tokenKey, { click, key: parseTokenKey(click.appPage.tokenKey), session });
  };
  for (const enriched of counted) add(enriched, true);
  for (const enriched of filtered) add(enriched, false);
  return [...pages.values()].sort(
    (a, b) => a.key.issuedAt - b.key.issuedAt || (a.key.hash < b.key.hash ? -1 : 1),
  );
}

function sessionOf({ organizationId, kind, targetId, appIds, at, userAgent }: Click): FunnelSession {
  return {
    organizationId,
    id: uuidV7(at),
    appId: appIds[0] ?? null,
    target: { kind, id: targetId },
    platform: PLATFORMS[agentOf(userAgent).os] ?? 'WEB',
    startedAt: at,
  };
}

const PLATFORMS: Partial<Record<string, SessionPlatform>> = { iOS: 'IOS', Android: 'ANDROID' };

// The page may have sent its fingerprint, or gone to the store, before its click was counted.
const KEEP = `
  INSERT INTO deep_link_tokens AS stored (issued_at, token_hash, organization_id, target_kind, target_id, app_id,
                                          click_id, session_id, ip_hash, user_agent)
  SELECT to_timestamp(issued_at / 1000.0), token_hash, organization_id, target_kind, target_id, app_id, click_id,
         session_id::uuid, decode(ip_hash, 'hex'), user_agent
    FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[], $7::bigint[],
                $8::text[], $9::text[], $10::text[])
      AS t (issued_at, token_hash, organization_id, target_kind, target_id, app_id, click_id, session_id, ip_hash,
            user_agent)
  ON CONFLICT (issued_at, token_hash) DO UPDATE
     SET organization_id = excluded.organization_id, target_kind = excluded.target_kind,
         target_id = excluded.target_id, app_id = excluded.app_id, click_id = excluded.click_id,
         session_id = coalesce(stored.session_id, excluded.session_id), ip_hash = excluded.ip_hash,
         user_agent = coalesce(stored.user_agent, excluded.user_agent)
  RETURNING token_hash AS hash, store_visited_at IS NOT NULL AS visited`;
