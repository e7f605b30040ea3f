import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { uuidV7 } from '../../common/uuid';
import { Journeys } from '../deep-links/journeys';
import type { Session } from '../deep-links/session';
import type { SessionFacts } from '../deep-links/session-change';
import { sessionIdOf } from '../deep-links/session-ids';
import { SessionStore } from '../deep-links/session-store';
import { shownSession } from '../deep-links/shown-session';
import { type FoundTarget, SessionTargets } from './session-targets';
import type {
  CreateSessionRequest,
  LinkUserResponse,
  RegisterLinkRequest,
  RegisterLinkResponse,
  SessionResponse,
} from './sessions.dto';

/** Sessions as apps and sites keep them (4-decisions §8). */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly journeys: Journeys,
    private readonly targets: SessionTargets,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound for an unknown link, campaign or token, and for the session of another app */
  async create(app: AppCaller, request: CreateSessionRequest): Promise<SessionResponse> {
    const found = await this.targets.find(app, request);
    const id = await this.idOfNew(app, request, found);
    const facts = factsOf(request, found);
    const session = await this.sessions.transact(app, id, (tx) =>
      this.journeys.begin(tx, app, id, request.platform, facts),
    );
    return this.show(session, request.sessionId ?? id);
  }

  /** @throws NotFound */
  async get(app: AppCaller, name: string): Promise<SessionResponse> {
    const session = await this.sessions.get(app, sessionIdOf(app.appId, name));
    return this.show(session, name);
  }

  /** @throws NotFound */
  async linkUser(app: AppCaller, name: string, externalUserId: string): Promise<LinkUserResponse> {
    const id = sessionIdOf(app.appId, name);
    await this.sessions.transact(app, id, (tx) => this.journeys.linkUser(tx, app, id, externalUserId));
    return { success: true, sessionId: name, externalUserId };
  }

  /** @throws NotFound, ValidationFailed when nothing says what led to the session */
  async registerLink(app: AppCaller, request: RegisterLinkRequest): Promise<RegisterLinkResponse> {
    const found = await this.targets.find(app, request);
    if (!found) {
      throw ValidationFailed.field('urlId', 'must be given, or one of token, campaignId and shortCode');
    }
    const id = sessionIdOf(app.appId, request.sessionId);
    const customId = await this.customIdOf(app, found);
    const session = await this.sessions.transact(app, id, (tx) =>
      this.journeys.registerTarget(tx, app, id, found.target, { goalType: found.goalType, customId }),
    );
    const { urlId, campaignId, goalType } = shownSession(session);
    return { success: true, sessionId: request.sessionId, urlId, campaignId, goalType };
  }

  /** Whoever comes with a token goes on with the session that its click has begun. */
  private async idOfNew(
    app: AppCaller,
    { sessionId }: CreateSessionRequest,
    found: FoundTarget | null,
  ): Promise<string> {
    if (sessionId) return sessionIdOf(app.appId, sessionId);
    const ofClick = found?.clickSessionId;
    const isOwn = ofClick && (await this.sessions.find(app, ofClick)) !== null;
    return isOwn ? ofClick : uuidV7(this.clock.now());
  }

  /** The customer whom the token's click named. */
  private async customIdOf(app: AppCaller, { clickSessionId }: FoundTarget): Promise<string | null> {
    const click = clickSessionId === null ? null : await this.sessions.find(app, clickSessionId);
    return click?.customId ?? null;
  }

  /** As the API shows it. @param name the id as its client knows it */
  async show(session: Session, name: string): Promise<SessionResponse> {
    const { organizationId, target } = session;
    const ofTarget = session.goalType === null && target !== null;
    const goalType = ofTarget ? await this.targets.goalTypeOf(organizationId, target) : session.goalType;
    return { ...shownSession(session), sessionId: name, goalType };
  }
}

function factsOf(request: CreateSessionRequest, found: FoundTarget | null): SessionFacts {
  const { externalUserId, deviceInfo, utmSource, utmMedium, utmTerm, utmContent } = request;
  const { referrer, landingUrl, clientTimestamp, clientTimezone } = request;
  return {
    ...{ externalUserId, utmSource, utmMedium, utmTerm, utmContent, referrer, landingUrl, clientTimezone },
    ...(deviceInfo && { deviceInfo }),
    ...(found && { target: found.target, goalType: found.goalType }),
    clientTimestamp: clientTimestamp ? parseDateTime(clientTimestamp) : null,
  };
}
