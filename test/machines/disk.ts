import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of a machine's own, in memory, that can be full. */
export class Disk {
  constructor(
    readonly folder: string,
    /** Account that its programs run as. */
    account = 0,
  ) {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512m,mode=700', 'tmpfs', folder]);
    chownSync(folder, account, account);
  }

  /** Leaves no byte free. */
  fill(): void {
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${this.filler}`, 'bs=64k'], { stdio: 'ignore' });
    } catch {
      // It ends with an error when the disk is full.
    }
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.folder]);
  }

  private get filler(): string {
    return join(this.folder, 'filler');
  }
}
