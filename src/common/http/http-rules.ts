import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { accessLog } from './access-log';
import { parseQueryString } from './query-string';
import { startRequest } from './request-start';

/** Applies the rules that hold before routing. Call it before `init`. */
export function applyHttpRules(nest: NestExpressApplication, logger: Logger): void {
  nest.disable('x-powered-by');
  nest.disable('etag');
  nest.set('query parser', parseQueryString);
  nest.use(startRequest, accessLog(logger));
}
