import { Inject, Injectable } from '@nestjs/common';
import { Config } from '../../../config/config';
import { Database } from '../../../infrastructure/database/database';
import { type Breakdown, DEFAULT_DOMAIN_VALUE } from '../../click-statistics/breakdowns/breakdowns';
import { countryName } from '../../click-statistics/percentages';
import { placeColumns } from '../../tracked-links/link-place.sql';
import { trackedLinkAddress } from '../../tracked-links/tracked-link-address';
import type { ClickGroup } from './clicks.dto';

export type NamedValue = Pick<ClickGroup, 'key' | 'name' | 'id' | 'address'>;

interface LinkRow {
  id: number;
  name: string;
  code: string;
  domainName: string | null;
  appPath: string | null;
}

/** Names of a dimension's values, including those of deleted resources. */
@Injectable()
export class GroupNamesQuery {
  constructor(
    private readonly database: Database,
    @Inject(Config) private readonly config: Pick<Config, 'shortUrlBase'>,
  ) {}

  async run(
    organizationId: number,
    breakdown: Breakdown,
    values: readonly string[],
  ): Promise<(value: string) => NamedValue> {
    const known = await this.known(organizationId, breakdown, values);
    return (value) => known.get(value) ?? { key: value, name: value, id: null, address: null };
  }

  private async known(
    organizationId: number,
    breakdown: Breakdown,
    values: readonly string[],
  ): Promise<Map<string, NamedValue>> {
    const ids = values.filter((value) => /^\d+$/.test(value));
    const plain = (key: string, name: string): [string, NamedValue] => [
      key,
      { key, name, id: null, address: null },
    ];
    switch (breakdown) {
      case 'link':
      case 'campaign':
        return this.trackedLinks(organizationId, breakdown, ids);
      case 'app':
        return this.apps(organizationId, ids);
      case 'country':
        return new Map(
          values.filter((code) => /^[A-Z]{2}$/.test(code)).map((code) => plain(code, countryName(code))),
        );
      case 'domain': {
        const host = new URL(this.config.shortUrlBase).host;
        return new Map([[DEFAULT_DOMAIN_VALUE, { key: host, name: host, id: null, address: null }]]);
      }
      default:
        return new Map();
    }
  }

  private async trackedLinks(organizationId: number, kind: 'link' | 'campaign', ids: readonly string[]) {
    const sql = kind === 'link' ? LINKS : CAMPAIGNS;
    const rows = await this.database.reportRows<LinkRow>(organizationId, sql, [organizationId, ids]);
    const { shortUrlBase } = this.config;
    return new Map(
      rows.map(({ id, name, code, domainName, appPath }) => [
        String(id),
        {
          key: String(id),
          name,
          id,
          address: trackedLinkAddress(kind, code, { shortUrlBase, domainName, appPath }),
        },
      ]),
    );
  }

  private async apps(organizationId: number, ids: readonly string[]) {
    const values = [organizationId, ids];
    const rows = await this.database.reportRows<{ id: number; name: string }>(organizationId, APPS, values);
    return new Map(rows.map(({ id, name }) => [String(id), { key: String(id), name, id, address: null }]));
  }
}

const LINKS = `
  SELECT t.id, coalesce(nullif(t.title, ''), t.code) AS name, t.code, ${placeColumns('t')}
    FROM links t WHERE t.organization_id = $1 AND t.id = ANY($2::bigint[])`;

const CAMPAIGNS = `
  SELECT t.id, t.name, t.code, ${placeColumns('t')}
    FROM campaigns t WHERE t.organization_id = $1 AND t.id = ANY($2::bigint[])`;

const APPS = `SELECT id, app_name AS name FROM apps WHERE organization_id = $1 AND id = ANY($2::bigint[])`;
