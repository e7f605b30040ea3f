import type { NextFunction, Request, Response } from 'express';
import { anyOrigin } from '../../common/http/cors';
import { APP_ID_HEADER, APP_KEY_HEADER, SIGNATURE_HEADER } from './app-headers';

const allow = anyOrigin(APP_ID_HEADER, APP_KEY_HEADER, SIGNATURE_HEADER, 'X-Link-Password');

/**
 * Lets pages call the APIs of apps. A preflight has no key, so PublishableKeyGuard refuses the call itself if the app
 * does not allow its origin.
 */
export function appCors(request: Request, response: Response, next: NextFunction): void {
  response.vary('Origin');
  allow(request, response, next);
}
