import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config';
import { type ClickBatch, linesOf } from './click-stream';

/** A file untouched for this long is abandoned; a running process touches its file several times a second. */
const ABANDONED_MS = 1_500;
/** Size at which a new file is started, because moving a file reads it into memory. */
const MAX_BYTES = 16 * 1024 * 1024;

interface OpenFile {
  readonly path: string;
  readonly file: FileHandle;
  bytes: number;
}

/**
 * Stores clicks on disk while no store accepts them. They are written before the response, so they survive a killed
 * process, and are moved once a store is back, by this process or any other with the same data folder.
 */
@Injectable()
export class ClickSpool {
  /** Whether clicks are written to disk directly, without waiting for a store to fail again. */
  inUse = false;
  private readonly folder: string;
  private current: OpenFile | null = null;
  private failing = false;
  private last: Promise<void> = Promise.resolve();

  constructor(config: Config) {
    this.folder = join(config.dataDir, 'spool');
  }

  /** @throws if the disk fails as well */
  append(batch: ClickBatch): Promise<void> {
    const text = `${linesOf(batch).join('\n')}\n`;
    return this.exclusively(() => this.writeWhole(text));
  }

  /**
   * Whether the disk accepts clicks. Without an open file, a write is tried, because nothing else may have tried yet.
   */
  async takesClicks(): Promise<boolean> {
    // The empty line is skipped by readers.
    if (this.failing || !this.current)
      await this.exclusively(() => this.writeWhole('\n')).catch(() => undefined);
    return !this.failing;
  }

  /** Paths of the files to move. If there are none, the file being written is closed and returned. */
  async finished(): Promise<string[]> {
    const left = await this.leftOver();
    if (left.length > 0 || !this.current) return left;
    await this.exclusively(() => this.finish());
    return this.leftOver();
  }

  /** Marks the file of this process as in use. */
  async touch(): Promise<void> {
    const now = new Date();
    // This process or another may have renamed the file meanwhile.
    if (this.current) await utimes(this.current.path, now, now).catch(() => undefined);
  }

  /** Paths of all files, of any process with the same data folder. */
  async paths(): Promise<string[]> {
    return [...(await this.files('.open')), ...(await this.files('.jsonl'))];
  }

  /** Lines of a file, except an incomplete last one left by a killed process. */
  async read(path: string): Promise<string[]> {
    const text = await readFile(path, 'utf8');
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean);
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  private async writeWhole(text: string): Promise<void> {
    try {
      while (!(await this.write(text)));
      this.failing = false;
    } catch (error) {
      this.failing = true;
      throw error;
    }
  }

  /** @returns false if another process has taken the file over as abandoned, possibly before this write */
  private async write(text: string): Promise<boolean> {
    this.current ??= await this.openFile();
    const { path, file } = this.current;
    try {
      await file.appendFile(text);
    } catch (error) {
      // The file is finished, because readers skip an incomplete line only at its end.
      await this.finish();
      throw error;
    }
    if (!(await exists(path))) {
      this.current = null;
      await file.close();
      return false;
    }
    this.current.bytes += text.length;
    if (this.current.bytes > MAX_BYTES) await this.finish();
    return true;
  }

  private async finish(): Promise<void> {
    if (!this.current) return;
    const { path, file } = this.current;
    this.current = null;
    await file.close();
    await this.takeOver(path);
  }

  /** Renames a file before it is read, so that a process still writing to it notices. */
  private async takeOver(path: string): Promise<void> {
    await rename(path, path.replace(/\.open$/, '.jsonl')).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  private async leftOver(): Promise<string[]> {
    for (const path of await this.files('.open')) {
      if (path !== this.current?.path && (await isAbandoned(path))) await this.takeOver(path);
    }
    return this.files('.jsonl');
  }

  private async files(ending: string): Promise<string[]> {
    const names = await readdir(this.folder).catch(() => []);
    return names.filter((name) => name.endsWith(ending)).map((name) => join(this.folder, name));
  }

  private async openFile(): Promise<OpenFile> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, `${randomUUID()}.open`);
    return { path, file: await open(path, 'a', 0o600), bytes: 0 };
  }

  private exclusively(work: () => Promise<void>): Promise<void> {
    const next = this.last.then(work);
    this.last = next.catch(() => undefined);
    return next;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > ABANDONED_MS;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
