import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import createExpress from 'express';
import type { Logger } from 'pino';
import { accessLog } from './access-log';
import { parseQueryString } from './query-string';
import { startRequest } from './request-start';

/** Routes each have one path, because the rules of proxies compare paths as they are. */
export function strictRouter(): ExpressAdapter {
  const express = createExpress();
  // Its router is made at the first use, by the adapter.
  express.enable('case sensitive routing').enable('strict routing');
  return new ExpressAdapter(express);
}

/** Applies the rules that hold before routing. Call it before `init`. */
export function applyHttpRules(nest: NestExpressApplication, logger: Logger): void {
  nest.disable('x-powered-by');
  nest.disable('etag');
  nest.set('query parser', parseQueryString);
  nest.use(startRequest, accessLog(logger));
}
