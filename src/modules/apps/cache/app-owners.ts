import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';

/** Identifiers of an app that a phone reports. */
export interface AppNames {
  androidPackage: string | null;
  /** `<scheme>://`, case-insensitive. */
  schemes: readonly string[];
}

export interface OwnedApp {
  organizationId: number;
  appId: number;
}

/** Finds the owner of an app named in a request without a key. */
@Injectable()
export class AppOwners {
  constructor(private readonly database: Database) {}

  /**
   * @returns null unless exactly one organization has registered the app. Anyone can register any identifier, so a
   * match in several organizations must reveal nothing
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

/** One app per organization suffices to tell whether there is a single owner. */
const ONE_EACH = 'DISTINCT ON (organization_id) organization_id AS "organizationId", id AS "appId"';

const BY_PACKAGE = `
  SELECT ${ONE_EACH} FROM apps
   WHERE bundle_id = $1 AND platform = 'Android' AND deleted_at IS NULL
   ORDER BY organization_id, id LIMIT 2`;

const BY_SCHEME = `
  SELECT ${ONE_EACH} FROM apps
   WHERE lower(scheme) = ANY($1::text[]) AND deleted_at IS NULL
   ORDER BY organization_id, platform = 'Android' DESC, id LIMIT 2`;
