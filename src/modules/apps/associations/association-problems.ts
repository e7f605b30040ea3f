import type { App } from '../app.entity';
import { warningsOf } from '../app-warnings';
import { APPLE_MAX_BYTES } from './association-files';

/** Why links do not open an app (docs/concepts/apps.md#association-files). */
const MEANINGS = {
  NO_UNIVERSAL_LINKS: 'Without teamId, the app is not in the file',
  NO_APP_LINKS: 'Without sha256CertFingerprints, the app is not in the file',
  NOT_ON_SHORT_DOMAIN:
    'The short domain, which all organizations share, names Android apps only if the platform allows it; domains of ' +
    'your own name the app',
  NOT_HTTPS: 'Phones get the file over https only',
  DOMAIN_NOT_ACTIVE: 'The domain does not lead to this service yet, so phones do not find the file',
  FILE_TOO_LARGE: 'Apple reads files of up to 128 KB',
} as const;

export type AssociationProblemCode = keyof typeof MEANINGS;
export const ASSOCIATION_PROBLEM_CODES = Object.keys(MEANINGS) as AssociationProblemCode[];

interface ServedFile {
  readonly url: string;
  readonly size: number;
  readonly active: boolean;
  /** Whether the file is that of the default short domain, which all organizations share. */
  readonly shared: boolean;
  readonly includesApp: boolean;
}

/** @param file the file for the app's platform */
export function problemsOf(
  app: App,
  { url, size, active, shared, includesApp }: ServedFile,
): { code: AssociationProblemCode; message: string }[] {
  const warnings = new Set(warningsOf(app).map(({ code }) => code));
  const isNameable = app.teamId !== null;
  const holds: Record<AssociationProblemCode, boolean> = {
    NO_UNIVERSAL_LINKS: warnings.has('NO_UNIVERSAL_LINKS'),
    NO_APP_LINKS: warnings.has('NO_APP_LINKS'),
    NOT_ON_SHORT_DOMAIN: shared && app.platform === 'Android' && !app.onShortDomain,
    NOT_HTTPS: !url.startsWith('https://'),
    DOMAIN_NOT_ACTIVE: !active,
    FILE_TOO_LARGE:
      app.platform === 'iOS' && (size > APPLE_MAX_BYTES || (shared && isNameable && !includesApp)),
  };
  return ASSOCIATION_PROBLEM_CODES.filter((code) => holds[code]).map((code) => ({
    code,
    message: MEANINGS[code],
  }));
}
