import { randomUUID } from 'node:crypto';
import type { SessionPlatform, Stage } from '../../src/common/funnel';
import { Transactions } from '../../src/infrastructure/database/transactions';
import type { AppInstall } from '../../src/modules/deep-links/app-install';
import type { FunnelTarget } from '../../src/modules/deep-links/funnel-sums';
import { JourneyRollups } from '../../src/modules/deep-links/journey-rollups';
import { JourneySums } from '../../src/modules/deep-links/journey-sums';
import { Journeys } from '../../src/modules/deep-links/journeys';
import { LocalDays } from '../../src/modules/deep-links/local-days';
import { type Reengagement, Reengagements } from '../../src/modules/deep-links/reengagements';
import type { Resolution } from '../../src/modules/deep-links/resolution';
import { bitOf, newSession } from '../../src/modules/deep-links/session';
import { SessionRows } from '../../src/modules/deep-links/session-rows';
import type { TestApp } from './test-app';

interface BegunSession {
  organizationId: number;
  appId: number | null;
  target: FunnelTarget | null;
  platform: SessionPlatform;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/** What apps report, written as the SDK APIs write it: one transaction each, facts and rollups together. */
export class Funnel {
  constructor(private readonly app: TestApp) {}

  /** A session of a click. @returns its id */
  async session(begun: BegunSession, stages: readonly Stage[] = ['CLICKED']): Promise<string> {
    const { organizationId, startedAt: at } = begun;
    const id = randomUUID();
    await this.app.get(Transactions).run(async ({ manager }) => {
      const day = await this.app.get(LocalDays).of(manager, { organizationId, at });
      const bits = stages.reduce((all, stage) => all | bitOf(stage), 0);
      const session = newSession({ ...begun, id, day, startedAt: new Date(at), stages: bits });
      const sums = new JourneySums();
      sums.addSession(null, session);
      await this.app.get(SessionRows).insert(manager, [session]);
      await this.app.get(JourneyRollups).write(manager, sums);
    });
    return id;
  }

  /** @returns whether it was new */
  reach(organizationId: number, sessionId: string, stage: Stage): Promise<boolean> {
    return this.app
      .get(Transactions)
      .run((tx) => this.app.get(Journeys).reach(tx, organizationId, sessionId, stage));
  }

  install(install: Omit<AppInstall, 'sessionId'> & { sessionId?: string }): Promise<void> {
    const sums = new JourneySums();
    sums.addInstall({ ...install, sessionId: install.sessionId ?? randomUUID() });
    return this.app.get(JourneyRollups).writeAlone(sums);
  }

  async reengage(reengagement: Reengagement): Promise<void> {
    await this.app.get(Transactions).run(async ({ manager }) => {
      const sums = new JourneySums();
      sums.funnel.add(await this.app.get(Reengagements).record(manager, reengagement));
      await this.app.get(JourneyRollups).write(manager, sums);
    });
  }

  resolve(resolution: Omit<Resolution, 'platform'> & Partial<Resolution>): Promise<void> {
    const sums = new JourneySums();
    sums.addResolution({ platform: null, ...resolution });
    return this.app.get(JourneyRollups).writeAlone(sums);
  }
}
