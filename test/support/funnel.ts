import { randomUUID } from 'node:crypto';
import type { SessionPlatform, Stage } from '../../src/modules/sessions/funnel';
import { Database } from '../../src/infrastructure/database/database';
import type { AppInstall } from '../../src/modules/sessions/rollups/app-install';
import type { TrackedLinkRef } from '../../src/modules/sessions/rollups/funnel-sums';
import { SessionRollups } from '../../src/modules/sessions/rollups/session-rollups';
import { SessionDeltas } from '../../src/modules/sessions/rollups/session-deltas';
import { SessionLifecycle } from '../../src/modules/sessions/session-lifecycle';
import { LocalDays } from '../../src/modules/sessions/rollups/local-days';
import { type Reengagement, Reengagements } from '../../src/modules/attribution/reengagements';
import type { Resolution } from '../../src/modules/sessions/rollups/resolution';
import { bitOf, newSession } from '../../src/modules/sessions/session';
import { SessionsRepository } from '../../src/modules/sessions/sessions.repository';
import type { TestApp } from './test-app';

interface BegunSession {
  organizationId: number;
  appId: number | null;
  trackedLink: TrackedLinkRef | null;
  platform: SessionPlatform;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** Reports of apps, written like the SDK APIs do: in one transaction each, with rows and rollups. */
export class Funnel {
  constructor(private readonly app: TestApp) {}

  /** Starts the session of a click. @returns its id */
  async session(begun: BegunSession, stages: readonly Stage[] = ['CLICKED']): Promise<string> {
    const startedAt = new Date(begun.startedAt);
    const id = randomUUID();
    await this.app.get(Database).write(async (tx) => {
      const day = await this.app.get(LocalDays).of(tx, begun.organizationId, startedAt);
      const bits = stages.reduce((all, stage) => all | bitOf(stage), 0);
      const session = newSession({ ...begun, id, day, startedAt, stages: bits });
      const sums = new SessionDeltas();
      sums.addSession(null, session);
      await this.app.get(SessionsRepository).insert(tx, [session]);
      await this.app.get(SessionRollups).write(tx, sums);
    });
    return id;
  }

  /** @returns whether the stage was new */
  reach(organizationId: number, sessionId: string, stage: Stage): Promise<boolean> {
    return this.app
      .get(Database)
      .write((tx) => this.app.get(SessionLifecycle).reach(tx, organizationId, sessionId, stage));
  }

  install(install: Omit<AppInstall, 'sessionId'> & { sessionId?: string }): Promise<void> {
    const sums = new SessionDeltas();
    sums.addInstall({ ...install, sessionId: install.sessionId ?? randomUUID() });
    return this.app.get(SessionRollups).writeAlone(sums);
  }

  async reengage(reengagement: Reengagement): Promise<void> {
    await this.app.get(Database).write(async (tx) => {
      const sums = new SessionDeltas();
      sums.funnel.add(await this.app.get(Reengagements).record(tx, reengagement));
      await this.app.get(SessionRollups).write(tx, sums);
    });
  }

  resolve(resolution: Omit<Resolution, 'platform'> & Partial<Resolution>): Promise<void> {
    const sums = new SessionDeltas();
    sums.addResolution({ platform: null, ...resolution });
    return this.app.get(SessionRollups).writeAlone(sums);
  }
}
