import type { components } from './schema.gen';

export { Waypost } from './waypost';
export {
  type ErrorBody,
  type ErrorCode,
  type ErrorDetail,
  WaypostBadRequest,
  WaypostConflict,
  WaypostConnectionError,
  WaypostError,
  WaypostForbidden,
  WaypostNotFound,
  WaypostRateLimited,
  WaypostServerError,
  WaypostTimeout,
  WaypostUnauthorized,
} from './errors';
export type { ContactChange, FollowOptions, UnsubscribeChange } from './feeds';
export { signIdentity } from './hmac';
export type { LiveEvent } from './live-clicks';
export type { Listing } from './listing';
export type { WebhookEvent } from './schema.gen';
export type { Answer, CallOptions, File, OperationId, Params, WaypostOptions } from './types';
export { type VerifyOptions, verifyWebhook, type WebhookHeaders, WaypostWebhookError } from './webhooks';

/** The objects of the API by name, such as `Schemas['ShortUrlResponse']`. */
export type Schemas = components['schemas'];

/** Version of this package. */
export const version: string = __VERSION__;

declare const __VERSION__: string;
