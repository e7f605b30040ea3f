import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';

/** The SDK's package, of which the compiled service has the served files only. */
const PACKAGE = join(__dirname, '../../../clients/web');
/** Output of `npm run build`. */
const BUILT = join(PACKAGE, 'dist');

const TYPES: Readonly<Record<string, string>> = {
  'waypost.js': 'text/javascript; charset=utf-8',
  'waypost.mjs': 'text/javascript; charset=utf-8',
  'CHANGELOG.md': 'text/markdown; charset=utf-8',
};

export type Coding = 'br' | 'gzip' | 'identity';

export interface WebSdkFile {
  readonly type: string;
  readonly bytes: Readonly<Record<Coding, Buffer>>;
  /** ETag of the uncompressed bytes, to which each encoding appends its name. */
  readonly tag: string;
}

@Injectable()
export class WebSdkFiles {
  private readonly files = new Map<string, WebSdkFile>();
  private version: string | undefined;

  get latest(): string {
    this.version ??= (
      JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
    ).version;
    return this.version;
  }

  /** @param version the one in package.json, or `latest` @returns null if there is no such file */
  find(version: string, name: string): WebSdkFile | null {
    const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
    if (!type || ![this.latest, 'latest'].includes(version)) return null;
    const known = this.files.get(name);
    if (known) return known;
    const identity = readFileSync(join(BUILT, name));
    const bytes = { identity, gzip: gzipSync(identity, { level: 9 }), br: brotliCompressSync(identity) };
    const file = { type, bytes, tag: hash('sha256', identity, 'base64url').slice(0, 27) };
    this.files.set(name, file);
    return file;
  }
}
