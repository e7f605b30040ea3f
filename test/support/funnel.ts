import { randomUUID } from 'node:crypto';
import type { Stage } from '../../src/common/funnel';
import { Transactions, type Tx } from '../../src/infrastructure/database/transactions';
import { type AppInstall, AppInstalls } from '../../src/modules/deep-links/app-installs';
import { FunnelRollups } from '../../src/modules/deep-links/funnel-rollups';
import { type FunnelSession, FunnelSessions } from '../../src/modules/deep-links/funnel-sessions';
import type { FunnelFact } from '../../src/modules/deep-links/funnel-sums';
import { type Reengagement, Reengagements } from '../../src/modules/deep-links/reengagements';
import { type Resolution, Resolutions } from '../../src/modules/deep-links/resolutions';
import type { TestApp } from './test-app';

/** What apps report, written as the SDK APIs write it: one transaction each, facts and rollups together. */
export class Funnel {
  constructor(private readonly app: TestApp) {}

  /** @returns id of the session */
  async session(session: Omit<FunnelSession, 'id'>, stages: readonly Stage[] = ['CLICKED']): Promise<string> {
    const id = randomUUID();
    await this.write((tx) =>
      this.app.get(FunnelSessions).begin(tx.manager, [{ session: { ...session, id }, stages }]),
    );
    return id;
  }

  reach(organizationId: number, sessionId: string, stage: Stage): Promise<number> {
    return this.write(async (tx) => [
      await this.app.get(FunnelSessions).reach(tx.manager, organizationId, sessionId, stage),
    ]);
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
