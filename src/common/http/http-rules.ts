import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import createExpress from 'express';
import type { Logger } from 'pino';
import { accessLog } from './access-log';
import { parseQueryString } from './query-string';
import { startRequest } from './request-start';

/** A router that matches paths exactly, because rules of proxies compare them exactly. */
export function strictRouter(): ExpressAdapter {
  const express = createExpress();
  // Express creates its router with these settings on first use, which is in the adapter.
  express.enable('case sensitive routing').enable('strict routing');
  return new ExpressAdapter(express);
}

/** Applies the rules that precede routing. Call it before `init`. */
export function applyHttpRules(nest: NestExpressApplication, logger: Logger): void {
  nest.disable('x-powered-by');
  nest.disable('etag');
  nest.set('query parser', parseQueryString);
  nest.use(startRequest, accessLog(logger));
}
