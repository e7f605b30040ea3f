import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import type { SessionPlatform } from './funnel';
import { SessionWebhooks } from './events/session-webhooks';
import type { DeviceInfo } from './session';
import { type OwnApp, SessionStore } from './session-store';
import type { Transition } from './transition';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';

/** Moves sessions between platforms. */
@Injectable()
export class SessionTransitions {
  constructor(
    private readonly sessions: SessionStore,
    private readonly database: Database,
    private readonly events: SessionWebhooks,
  ) {}

  /**
   * Moves a session to another platform. Idempotent: a repeated call returns the last transition.
   * @throws NotFound, ValidationFailed if the session began on the platform and has never left it
   */
  async move(
    tx: Tx,
    app: OwnApp,
    sessionId: string,
    toPlatform: SessionPlatform,
    deviceInfo: DeviceInfo | null,
  ): Promise<Transition> {
    const change = await this.sessions.open(tx, app, sessionId);
    const { platform: fromPlatform, deviceInfo: storedDevice } = change.session;
    if (fromPlatform === toPlatform) {
      const last = (await this.read(app, sessionId, tx)).at(-1);
      if (last) return last;
      throw ValidationFailed.field(
        'toPlatform',
        'must be another platform than the one that the session is on',
      );
    }
    const [row] = await tx.hot<{ id: number; day: string }>(INSERT, [
      app.organizationId,
      app.appId,
      sessionId,
      fromPlatform,
      toPlatform,
      deviceInfo,
      change.at.toISOString(),
    ]);
    if (!row) throw new Error('The transition was not inserted');
    change.set({ platform: toPlatform, deviceInfo: deviceInfo ?? storedDevice });
    change.sums.addTransition({ ...app, day: row.day }, fromPlatform, toPlatform);
    await this.sessions.save(tx, change);
    const transition = { id: row.id, sessionId, fromPlatform, toPlatform, occurredAt: change.at };
    await this.events.add(tx, change, { transition });
    return transition;
  }

  /** The transitions of a session, oldest first. @throws NotFound */
  async list(app: OwnApp, sessionId: string): Promise<Transition[]> {
    await this.sessions.get(app, sessionId);
    return this.read(app, sessionId);
  }

  private read({ organizationId }: OwnApp, sessionId: string, tx?: Tx): Promise<Transition[]> {
    return this.database.hot<Transition>(LIST, [organizationId, sessionId], tx);
  }
}

const INSERT = {
  name: 'transitions.insert',
  text: `
    INSERT INTO session_transitions (organization_id, app_id, session_id, from_platform, to_platform, device_info,
                                     occurred_at, day)
    VALUES ($1, $2, $3, $4, $5, $6, $7::timestamptz, local_day($1, $7::timestamptz))
    RETURNING id, day`,
};

const LIST = {
  name: 'transitions.list',
  text: `
    SELECT id, session_id AS "sessionId", from_platform AS "fromPlatform", to_platform AS "toPlatform",
           occurred_at AS "occurredAt"
      FROM session_transitions WHERE organization_id = $1 AND session_id = $2 ORDER BY id`,
};
