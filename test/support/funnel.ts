import { randomUUID } from 'node:crypto';
import type { SessionPlatform, Stage } from '../../src/common/funnel';
import { Transactions, type Tx } from '../../src/infrastructure/database/transactions';
import { type AppInstall, AppInstalls } from '../../src/modules/deep-links/app-installs';
import { FunnelRollups } from '../../src/modules/deep-links/funnel-rollups';
import type { FunnelFact, FunnelTarget } from '../../src/modules/deep-links/funnel-sums';
import { JourneyRollups } from '../../src/modules/deep-links/journey-rollups';
import { JourneySums } from '../../src/modules/deep-links/journey-sums';
import { Journeys } from '../../src/modules/deep-links/journeys';
import { LocalDays } from '../../src/modules/deep-links/local-days';
import { type Reengagement, Reengagements } from '../../src/modules/deep-links/reengagements';
import { type Resolution, Resolutions } from '../../src/modules/deep-links/resolutions';
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

  install(install: Omit<AppInstall, 'sessionId'> & { sessionId?: string }): Promise<number> {
    const sessionId = install.sessionId ?? randomUUID();
    return this.write(async (tx) => [
      await this.app.get(AppInstalls).record(tx.manager, { ...install, sessionId }),
    ]);
  }

  reengage(reengagement: Reengagement): Promise<number> {
    return this.write(async (tx) => [await this.app.get(Reengagements).record(tx.manager, reengagement)]);
  }

  resolve(resolution: Resolution): Promise<number> {
    return this.write(async (tx) => [await this.app.get(Resolutions).record(tx.manager, resolution)]);
  }

  /** @returns how many facts were new */
  private write(work: (tx: Tx) => Promise<(FunnelFact | null)[]>): Promise<number> {
    return this.app.get(Transactions).run(async (tx) => {
      const facts = (await work(tx)).filter((fact) => fact !== null);
      await this.app.get(FunnelRollups).add(tx.manager, facts);
      return facts.length;
    });
  }
}
