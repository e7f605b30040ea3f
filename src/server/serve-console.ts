import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import sirv from 'sirv';

/**
 * Content-Security-Policy of the console: scripts come from this service only, none inline; component libraries set
 * inline styles.
 */
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

/** Path of the built console, relative to the sources as well as to the compiled code. */
function builtConsole(): string {
  return join(
    __dirname,
    __dirname.endsWith(join('dist', 'src', 'server')) ? '../../console' : '../../dist/console',
  );
}

/**
 * Serves the console at `/console`: files with hashed names are immutable, and every other path is the page, whose
 * router reads the path. Headers are set before sirv runs, because browsers update the cached page with those of its
 * 304.
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
