import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ClickJournal } from '../journal/click-journal';
import { ClickSpool } from './click-spool';

const LOOK_EVERY_MS = 250;
const CHUNK = 1_000;

/** Moves spooled clicks to a store as soon as one takes them. */
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
    }, LOOK_EVERY_MS).unref();
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
      // Every store call above went through, or there was nothing to try it with.
      this.spool.inUse = false;
    } catch {
      // No store takes them yet: the files stay, and the next look tries again.
    } finally {
      this.busy = false;
    }
  }

  /** A file that is moved twice, because a kill came before its removal, counts once: clicks carry their ids. */
  private async move(path: string): Promise<void> {
    const lines = await this.spool.read(path);
    for (let start = 0; start < lines.length; start += CHUNK) {
      await this.journal.move(lines.slice(start, start + CHUNK));
    }
    await this.spool.remove(path);
  }
}
