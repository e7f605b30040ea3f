import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import sirv from 'sirv';

/** Scripts come from the service alone, and none stands in a page; component libraries set styles on elements. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
];

/** Where the build puts the console, seen from the sources and from the compiled code. */
function builtConsole(): string {
  return join(
    __dirname,
    __dirname.endsWith(join('dist', 'src', 'server')) ? '../../console' : '../../dist/console',
  );
}

/**
 * Serves the console at `/console`: files with hashed names for ever, every other path as the page, which reads the path
 * itself. Headers are set before sirv runs, because browsers apply those of its 304 to the cached page.
 */
export function serveConsole(nest: NestExpressApplication): void {
  const files = sirv(builtConsole(), { single: true, etag: true, brotli: true, gzip: true });
  nest.use('/console', (request: Request, response: Response, next: NextFunction) => {
    setHeaders(response, request.path);
    files(request, response, () => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    });
  });
}

function setHeaders(response: ServerResponse, path: string): void {
  const hashed = path.startsWith('/assets/');
  response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  for (const [name, value] of HEADERS) response.setHeader(name, value);
}
