import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ClickJournal } from './click-journal';
import { ClickSpool } from './click-spool';

const INTERVAL_MS = 250;
/** Lines per append. */
const CHUNK = 1_000;

@Injectable()
export class SpoolMover implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private moving: Promise<void> = Promise.resolve();
  private busy = false;

  constructor(
    private readonly journal: ClickJournal,
    private readonly spool: ClickSpool,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      if (!this.busy) this.moving = this.moveAll();
    }, INTERVAL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.moving;
    await this.moveAll();
  }

  private async moveAll(): Promise<void> {
    this.busy = true;
    try {
      await this.spool.touch();
      for (const path of await this.spool.finished()) {
        await this.move(path);
      }
      // A store has accepted all clicks, so new ones can go to the stores again.
      this.spool.inUse = false;
    } catch {
      // No store is available yet; the files stay for the next run.
    } finally {
      this.busy = false;
    }
  }

  /** Idempotent: if a kill prevents the removal, the file is moved again, and clicks with known ids do not count. */
  private async move(path: string): Promise<void> {
    const lines = await this.spool.read(path);
    for (let start = 0; start < lines.length; start += CHUNK) {
      await this.journal.move(lines.slice(start, start + CHUNK));
    }
    await this.spool.remove(path);
  }
}
