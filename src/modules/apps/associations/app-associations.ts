import { Injectable } from '@nestjs/common';
import { DeletedOrganizationCache } from '../../../access/organizations/deleted-organizations';
import { CoherentCache } from '../../../infrastructure/caching/coherent-cache';
import { InvalidationBus } from '../../../infrastructure/caching/invalidation-bus';
import { appleAppSiteAssociation, assetLinks, type AssociatedApp } from './association-files';
import type { App } from '../app.entity';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** Files of up to 2 KB; those of the default domain name the apps of all organizations. */
const MAX_ENTRIES = 20_000;
const DEFAULT_DOMAIN = 'default';

/** What a domain says of the apps that may open its links: JSON texts as they are sent. */
export interface AssociationFiles {
  appleAppSiteAssociation: string;
  assetLinks: string;
}

/** Files by which iOS and Android know whose links a domain's are (docs/concepts/apps.md#association-files). */
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

  /** @param organizationId whose domain it is; null for the default domain, which all apps share */
  async of(organizationId: number | null): Promise<AssociationFiles> {
    const files = await this.cache.get(organizationId === null ? DEFAULT_DOMAIN : String(organizationId));
    return files ?? filesOf([]);
  }

  /** Tells every process of a change, after its commit. Call it in the transaction of every change of an app. */
  changed(tx: Tx, { organizationId }: Pick<App, 'organizationId'>): void {
    tx.afterCommit(() => this.cache.invalidate([DEFAULT_DOMAIN, String(organizationId)]));
  }

  private async load(key: string): Promise<AssociationFiles> {
    const organizationId = key === DEFAULT_DOMAIN ? null : Number(key);
    const apps = await this.database.lookup<AssociatedApp & Owned>(ASSOCIATED, [organizationId]);
    const deleted = await this.deleted.all();
    return filesOf(apps.filter((app) => !deleted.has(app.organizationId)));
  }
}

type Owned = Pick<App, 'organizationId'>;

function filesOf(apps: readonly AssociatedApp[]): AssociationFiles {
  return {
    appleAppSiteAssociation: JSON.stringify(appleAppSiteAssociation(apps)),
    assetLinks: JSON.stringify(assetLinks(apps)),
  };
}

const ASSOCIATED = `
  SELECT organization_id AS "organizationId", platform, path, bundle_id AS "bundleId", team_id AS "teamId",
         sha256_cert_fingerprints AS "sha256CertFingerprints"
    FROM apps
   WHERE deleted_at IS NULL AND bundle_id IS NOT NULL AND organization_id = coalesce($1::bigint, organization_id)
     AND (platform = 'iOS' OR sha256_cert_fingerprints <> '{}')
   ORDER BY id`;
