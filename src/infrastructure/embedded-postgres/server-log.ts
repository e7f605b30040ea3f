import { open, stat, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 20;

/** `<dataDir>/postgres.log`, the output of initdb and the server. */
export class ServerLog {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private start: number,
  ) {}

  /** Opens the log, truncating it if it exceeds 10 MB. */
  static async open(dataDir: string): Promise<ServerLog> {
    const path = join(dataDir, 'postgres.log');
    const file = await open(path, 'a', 0o600);
    // Safe while an adopted server writes, because that appends too.
    if ((await file.stat()).size > MAX_BYTES) await truncate(path);
    return new ServerLog(path, file, (await file.stat()).size);
  }

  get fd(): number {
    return this.file.fd;
  }

  /** Makes `tail` start from here. */
  async mark(): Promise<void> {
    this.start = (await stat(this.path)).size;
  }

  async tail(): Promise<string> {
    const file = await open(this.path, 'r');
    try {
      const { size } = await file.stat();
      const from = Math.max(Math.min(this.start, size), size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-TAIL_LINES).join('\n');
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
