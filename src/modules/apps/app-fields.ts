import type { App } from './app.entity';
import { originIn } from './origin';
import type { CreateAppRequest, UpdateAppRequest } from './apps.dto';

export type AppFields = Pick<
  App,
  | 'platform'
  | 'appName'
  | 'bundleId'
  | 'scheme'
  | 'teamId'
  | 'storeUrl'
  | 'appIconUrl'
  | 'sha256CertFingerprints'
  | 'allowedOrigins'
>;

const CLEARABLE = ['scheme', 'teamId', 'storeUrl', 'appIconUrl'] as const;
const LASTING = ['appName', 'bundleId'] as const;

/** The fields of a new app; omitted ones are null. */
export function fieldsOfNew(request: CreateAppRequest): AppFields {
  const { platform, appName, bundleId, sha256CertFingerprints, allowedOrigins } = request;
  const clearable = Object.fromEntries(CLEARABLE.map((field) => [field, request[field] || null]));
  return {
    platform,
    appName,
    bundleId,
    ...(clearable as Pick<App, (typeof CLEARABLE)[number]>),
    sha256CertFingerprints: canonical(sha256CertFingerprints),
    allowedOrigins: distinctOrigins(allowedOrigins),
  };
}

/** The fields that an update changes; null and an empty string clear a field. The platform cannot change. */
export function suppliedFields(request: UpdateAppRequest): Partial<AppFields> {
  const clearable = CLEARABLE.filter((field) => request[field] !== undefined);
  const lasting = LASTING.filter((field) => request[field]);
  return {
    ...Object.fromEntries(lasting.map((field) => [field, request[field]])),
    ...Object.fromEntries(clearable.map((field) => [field, request[field] || null])),
    ...(request.sha256CertFingerprints !== undefined && {
      sha256CertFingerprints: canonical(request.sha256CertFingerprints),
    }),
    ...(request.allowedOrigins !== undefined && { allowedOrigins: distinctOrigins(request.allowedOrigins) }),
  };
}

function canonical(fingerprints: readonly string[] | null | undefined): string[] {
  return [...new Set(fingerprints?.map((fingerprint) => fingerprint.toUpperCase()))];
}

function distinctOrigins(origins: readonly string[] | null | undefined): string[] {
  return [...new Set(origins?.map((origin) => originIn(origin) ?? origin))];
}
