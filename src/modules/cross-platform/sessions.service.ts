import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { Page } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { cut } from '../../common/sanitize-text';
import { uuidV7 } from '../../common/uuid';
import { Database } from '../../infrastructure/database/database';
import { statisticsRange } from '../click-statistics/statistics-range';
import { forEndUser, withUserAgent } from '../sessions/end-user.dto';
import { SessionLifecycle } from '../sessions/session-lifecycle';
import type { Session } from '../sessions/session';
import type { SessionFacts } from '../sessions/session-change';
import { sessionIdOf } from '../sessions/session-ids';
import { SessionListQuery } from '../sessions/session-list.query';
import { readableBy, SessionStore } from '../sessions/session-store';
import { presentSession } from '../sessions/session-presenter';
import { type FoundLink, SessionLinks } from './session-links';
import {
  type CreateSessionRequest,
  type LinkUserResponse,
  MAX_ADDRESS,
  MAX_UTM,
  type RegisterLinkRequest,
  type RegisterLinkResponse,
  type SessionResponse,
} from './sessions.dto';
import type { ListSessionsQuery } from './statistics/session-statistics.dto';

/** The session operations of apps and sites (docs/concepts/sessions.md#life-of-a-session). */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly lifecycle: SessionLifecycle,
    private readonly trackedLinks: SessionLinks,
    private readonly listQuery: SessionListQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound for an unknown link, campaign or token, and for a session that the caller may not read */
  async create(caller: AppCaller, request: CreateSessionRequest): Promise<SessionResponse> {
    const app = forEndUser(caller, request);
    const found = await this.trackedLinks.find(app, request);
    const id = await this.idOfNew(app, request, found);
    const facts = factsOf(request, found);
    const session = await this.sessions.transact(app, id, async (tx) => {
      if (id === found?.clickSessionId)
        await this.sessions.adopt(tx, app, id, request.externalUserId ?? null);
      return readableBy(app, await this.lifecycle.begin(tx, app, id, request.platform, facts));
    });
    return this.show(session, request.sessionId ?? id);
  }

  /** @throws NotFound */
  async get(app: AppCaller, name: string): Promise<SessionResponse> {
    const session = await this.sessions.get(app, sessionIdOf(app.appId, name));
    return this.show(session, name);
  }

  /** @throws InvalidDateRange */
  async list(app: AppCaller, query: ListSessionsQuery): Promise<Page<SessionResponse>> {
    const { range } = statisticsRange(app, query, this.clock.date(), {
      timeZone: app.organization.timeZone,
      kept: 'eventRetentionDays',
    });
    const { platform = null, converted = null, externalUserId } = query;
    const filter = {
      appId: app.appId,
      from: range.from,
      to: range.to,
      platform,
      converted,
      externalUserId: externalUserId || null,
      stage: null,
      trackedLink: null,
    };
    const { sessions, total } = await this.database.report(app.organizationId, (tx) =>
      this.listQuery.run(tx, app.organizationId, filter, query),
    );
    return Page.of(
      await Promise.all(sessions.map((session) => this.show(session, session.id))),
      total,
      query,
    );
  }

  /** @throws NotFound */
  async linkUser(app: AppCaller, name: string, externalUserId: string): Promise<LinkUserResponse> {
    const id = sessionIdOf(app.appId, name);
    await this.sessions.transact(app, id, (tx) => this.lifecycle.linkUser(tx, app, id, externalUserId));
    return { success: true, sessionId: name, externalUserId };
  }

  /** @throws NotFound; ValidationFailed if the request names no link or campaign */
  async registerLink(app: AppCaller, request: RegisterLinkRequest): Promise<RegisterLinkResponse> {
    const found = await this.trackedLinks.find(app, request);
    if (!found) {
      throw ValidationFailed.field('urlId', 'is required unless token, campaignId or shortCode is given');
    }
    const id = sessionIdOf(app.appId, request.sessionId);
    const customId = await this.customIdOf(app, found);
    const session = await this.sessions.transact(app, id, (tx) =>
      this.lifecycle.registerLink(tx, app, id, found.trackedLink, {
        goalType: found.goalType,
        customId,
      }),
    );
    const { urlId, campaignId, goalType } = presentSession(session);
    return { success: true, sessionId: request.sessionId, urlId, campaignId, goalType };
  }

  /**
   * The session id for a new session. A token continues the session that its click created. Because people share URLs
   * with tokens, a member's session is continued by the same member only; everybody else gets a new session for the
   * same link.
   */
  private async idOfNew(
    app: AppCaller,
    { sessionId, externalUserId }: CreateSessionRequest,
    found: FoundLink | null,
  ): Promise<string> {
    if (sessionId) return sessionIdOf(app.appId, sessionId);
    const ofClick = found?.clickSessionId;
    const session = ofClick ? await this.sessions.findOfClick(app, ofClick) : null;
    const isFree = session && [null, externalUserId].includes(session.externalUserId);
    return isFree ? session.id : uuidV7(this.clock.now());
  }

  private async customIdOf(app: AppCaller, { clickSessionId }: FoundLink): Promise<string | null> {
    const click = clickSessionId === null ? null : await this.sessions.findOfClick(app, clickSessionId);
    return click?.customId ?? null;
  }

  /** Builds the response. @param name the session id of the client */
  private async show(session: Session, name: string): Promise<SessionResponse> {
    const { organizationId, trackedLink } = session;
    const ofTrackedLink = session.goalType === null && trackedLink !== null;
    const goalType = ofTrackedLink
      ? await this.trackedLinks.goalTypeOf(organizationId, trackedLink)
      : session.goalType;
    return { ...presentSession(session), sessionId: name, goalType };
  }
}

function factsOf(request: CreateSessionRequest, found: FoundLink | null): SessionFacts {
  const { externalUserId, clientTimestamp, clientTimezone } = request;
  const deviceInfo = withUserAgent(request.deviceInfo, request);
  const text = (value: string | null | undefined, max: number) => value && cut(value, max);
  return {
    ...{ externalUserId, clientTimezone },
    utmSource: text(request.utmSource, MAX_UTM),
    utmMedium: text(request.utmMedium, MAX_UTM),
    utmTerm: text(request.utmTerm, MAX_UTM),
    utmContent: text(request.utmContent, MAX_UTM),
    referrer: text(request.referrer, MAX_ADDRESS),
    landingUrl: text(request.landingUrl, MAX_ADDRESS),
    ...(deviceInfo && { deviceInfo }),
    ...(found && { trackedLink: found.trackedLink, goalType: found.goalType }),
    clientTimestamp: clientTimestamp ? parseDateTime(clientTimestamp) : null,
  };
}
