import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';

/** What a phone knows an app by. */
export interface AppNames {
  /** Package name on Android. */
  androidPackage: string | null;
  /** `<scheme>://`, in any case. */
  schemes: readonly string[];
}

export interface OwnedApp {
  organizationId: number;
  appId: number;
}

/** Whose app it is that somebody without a key talks about. */
@Injectable()
export class AppOwners {
  constructor(private readonly database: Database) {}

  /**
   * @returns null when nobody has registered such an app, or when several organizations have: anybody can register
   * any name, and must learn nothing by it
   */
  async find({ androidPackage, schemes }: AppNames): Promise<OwnedApp | null> {
    if (androidPackage !== null) {
      const owned = onlyOwner(await this.database.read<OwnedApp>(BY_PACKAGE, [androidPackage]));
      if (owned) return owned;
    }
    if (schemes.length === 0) return null;
    const lowerCase = schemes.map((scheme) => scheme.toLowerCase());
    return onlyOwner(await this.database.read<OwnedApp>(BY_SCHEME, [lowerCase]));
  }
}

function onlyOwner(apps: readonly OwnedApp[]): OwnedApp | null {
  const [first, ...others] = apps;
  if (!first || others.some(({ organizationId }) => organizationId !== first.organizationId)) return null;
  return first;
}

/** One app of each organization is enough to tell whether there is one owner. */
const ONE_EACH = 'DISTINCT ON (organization_id) organization_id AS "organizationId", id AS "appId"';

const BY_PACKAGE = `
  SELECT ${ONE_EACH} FROM apps
   WHERE bundle_id = $1 AND platform = 'Android' AND deleted_at IS NULL
   ORDER BY organization_id, id LIMIT 2`;

const BY_SCHEME = `
  SELECT ${ONE_EACH} FROM apps
   WHERE lower(scheme) = ANY($1::text[]) AND deleted_at IS NULL
   ORDER BY organization_id, platform = 'Android' DESC, id LIMIT 2`;
