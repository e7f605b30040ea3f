import { Injectable } from '@nestjs/common';
import { DeletedOrganizationCache } from '../../../access/organizations/deleted-organizations';
import { CoherentCache } from '../../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import {
  APPLE_MAX_BYTES,
  appleAppSiteAssociation,
  assetLinks,
  type AssociatedApp,
} from './association-files';
import type { App } from '../app.entity';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** Files are small (up to 2 KB), except those of the default domain, which list the apps of all organizations. */
const MAX_ENTRIES = 20_000;
const DEFAULT_DOMAIN_KEY = 'default';

/** A domain's association files, as serialized JSON. */
export interface AssociationFiles {
  appleAppSiteAssociation: string;
  assetLinks: string;
}

export const ASSOCIATION_PATHS = {
  appleAppSiteAssociation: '/.well-known/apple-app-site-association',
  assetLinks: '/.well-known/assetlinks.json',
} as const satisfies Record<keyof AssociationFiles, string>;

/** Files that let iOS and Android open a domain's links in apps (docs/concepts/apps.md#association-files). */
@Injectable()
export class AppAssociations {
  private readonly cache: CoherentCache<AssociationFiles>;

  constructor(
    private readonly database: Database,
    private readonly deleted: DeletedOrganizationCache,
    bus: InvalidationBus,
  ) {
    this.cache = new CoherentCache(bus, 'app-associations', (key) => this.load(key), {
      maxEntries: MAX_ENTRIES,
    });
    deleted.onDeletion((tx, organizationId) => this.changed(tx, { organizationId }));
  }

  /** @param organizationId owner of the domain; null for the default domain, which all organizations share */
  async of(organizationId: number | null): Promise<AssociationFiles> {
    const files = await this.cache.get(organizationId === null ? DEFAULT_DOMAIN_KEY : String(organizationId));
    return files ?? filesOf([]);
  }

  /** Invalidates the files in every process after the commit. Call it in each transaction that changes an app. */
  changed(tx: Tx, { organizationId }: Pick<App, 'organizationId'>): void {
    tx.afterCommit(() => this.cache.invalidate([DEFAULT_DOMAIN_KEY, String(organizationId)]));
  }

  private async load(key: string): Promise<AssociationFiles> {
    const organizationId = key === DEFAULT_DOMAIN_KEY ? null : Number(key);
    const apps = await this.database.lookup<AssociatedApp & Owned>(ASSOCIATED, [organizationId]);
    const deleted = await this.deleted.all();
    const isNamed = (app: Owned) =>
      organizationId !== null || app.platform !== 'Android' || app.onShortDomain;
    return filesOf(
      apps.filter((app) => !deleted.has(app.organizationId) && isNamed(app)),
      organizationId === null,
    );
  }
}

type Owned = Pick<App, 'organizationId' | 'platform' | 'onShortDomain'>;

/**
 * @param shared whether the files are those of several organizations, whose apps must not push each other out of a size
 * limit
 */
function filesOf(apps: readonly AssociatedApp[], shared = false): AssociationFiles {
  return {
    appleAppSiteAssociation: JSON.stringify(
      appleAppSiteAssociation(apps, shared ? APPLE_MAX_BYTES : Infinity),
    ),
    assetLinks: JSON.stringify(assetLinks(apps)),
  };
}

const ASSOCIATED = `
  SELECT organization_id AS "organizationId", platform, path, bundle_id AS "bundleId", team_id AS "teamId",
         sha256_cert_fingerprints AS "sha256CertFingerprints", on_short_domain AS "onShortDomain"
    FROM apps
   WHERE deleted_at IS NULL AND bundle_id IS NOT NULL AND organization_id = coalesce($1::bigint, organization_id)
     AND (platform = 'iOS' OR sha256_cert_fingerprints <> '{}')
   ORDER BY id`;
