import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { toDateTime } from '../../common/time/format';
import { Database, type Tx } from '../../infrastructure/database/database';
import { SessionWebhooks } from '../sessions/events/session-webhooks';
import { LocalDays } from '../sessions/rollups/local-days';
import type { SessionPlatform } from '../sessions/funnel';
import type { DeviceInfo } from '../sessions/session';
import { sessionIdOf } from '../sessions/session-ids';
import { type OwnApp, SessionStore } from '../sessions/session-store';
import { storedDevice } from '../sessions/stored-device';
import { SessionTransition } from './session-transition.entity';
import type { MadeTransitionResponse, TransitionRequest, TransitionResponse } from './sessions.dto';

/** Records transitions of sessions between platforms. Takes and returns session ids of clients. */
@Injectable()
export class TransitionsService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly database: Database,
    private readonly days: LocalDays,
    private readonly events: SessionWebhooks,
  ) {}

  /**
   * Records a transition to another platform. Idempotent: a repeated call returns the last transition.
   * @throws NotFound; ValidationFailed if the session has only been on that platform
   */
  async move(app: OwnApp, request: TransitionRequest): Promise<MadeTransitionResponse> {
    const { sessionId: name, toPlatform, deviceInfo } = request;
    const id = sessionIdOf(app.appId, name);
    const transition = await this.sessions.transact(app, id, (tx) =>
      this.moveIn(tx, app, id, toPlatform, deviceInfo ? storedDevice(deviceInfo) : null),
    );
    return { success: true, sessionId: name, ...present(transition) };
  }

  /** The transitions of a session, oldest first. @throws NotFound */
  async list(app: OwnApp, name: string): Promise<TransitionResponse[]> {
    const id = sessionIdOf(app.appId, name);
    await this.sessions.get(app, id);
    const transitions = await this.database.repository(SessionTransition).find({
      where: { organizationId: app.organizationId, sessionId: id },
      order: { id: 'ASC' },
    });
    return transitions.map((transition) => ({ sessionId: name, ...present(transition) }));
  }

  private async moveIn(
    tx: Tx,
    app: OwnApp,
    sessionId: string,
    toPlatform: SessionPlatform,
    deviceInfo: DeviceInfo | null,
  ): Promise<SessionTransition> {
    const { organizationId, appId } = app;
    const transitions = tx.repository(SessionTransition);
    const change = await this.sessions.open(tx, app, sessionId);
    const { platform: fromPlatform, deviceInfo: knownDevice } = change.session;
    if (fromPlatform === toPlatform) {
      const last = await transitions.findOne({ where: { organizationId, sessionId }, order: { id: 'DESC' } });
      if (last) return last;
      throw ValidationFailed.field(
        'toPlatform',
        'must be another platform than the one that the session is on',
      );
    }
    const day = await this.days.of(tx, organizationId, change.at);
    const transition = transitions.create({
      organizationId,
      appId,
      sessionId,
      fromPlatform,
      toPlatform,
      occurredAt: change.at,
      day,
    });
    await transitions.insert(transition);
    change.set({ platform: toPlatform, deviceInfo: deviceInfo ?? knownDevice });
    change.sums.addTransition({ ...app, day }, fromPlatform, toPlatform);
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, { transition: present(transition) });
    return transition;
  }
}

function present({ id, fromPlatform, toPlatform, occurredAt }: SessionTransition) {
  return { transitionId: id, fromPlatform, toPlatform, occurredAt: toDateTime(occurredAt) };
}
