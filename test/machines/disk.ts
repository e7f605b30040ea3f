import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { SLOWDOWN } from './faults';

/** Size in a trial of all faults, each of which leaves clicks. */
const LONG_MIB = 2_048;
const SHORT_MIB = 512;

/** An in-memory file system of one machine, which can be filled up. */
export class Disk {
  private static readonly mounted = new Set<Disk>();

  constructor(
    readonly folder: string,
    /** Account that its programs run as. */
    account = 0,
  ) {
    mkdirSync(folder, { recursive: true });
    const size = SLOWDOWN > 1 ? LONG_MIB : SHORT_MIB;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=700`, 'tmpfs', folder]);
    chownSync(folder, account, account);
    Disk.mounted.add(this);
  }

  static removeAll(): void {
    for (const { folder } of Disk.mounted) execFileSync('umount', ['--lazy', folder]);
    Disk.mounted.clear();
  }

  /** Leaves no byte free. @throws when some are */
  fill(): void {
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${this.filler}`, 'bs=64k'], { stdio: 'ignore' });
    } catch {
      // It ends with an error when the disk is full.
    }
    const { bavail } = statfsSync(this.folder);
    if (bavail > 0) throw new Error(`${bavail} blocks of ${this.folder} are free`);
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  private get filler(): string {
    return join(this.folder, 'filler');
  }
}
