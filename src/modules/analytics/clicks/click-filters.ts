import { Inject, Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { Config } from '../../../config/config';
import { Database } from '../../../infrastructure/database/database';
import {
  type Breakdown,
  BREAKDOWNS,
  DEFAULT_DOMAIN_VALUE,
  isStored,
  NONE,
  STORED,
  type ValueFilter,
} from '../../click-statistics/breakdowns/breakdowns';
import { UNKNOWN } from '../../clicks/visitor-facts';
import { tagKey } from '../../tracked-links/fields/tags';
import { appNotOwned } from '../owned-apps';
import type { ClickFilters } from './clicks.dto';

/** Includes deleted ones, whose clicks are kept. */
const OWNED = {
  link: {
    name: 'Link',
    sql: 'SELECT id::text AS value FROM links WHERE organization_id = $1 AND id = ANY($2::bigint[])',
  },
  campaign: {
    name: 'Campaign',
    sql: 'SELECT id::text AS value FROM campaigns WHERE organization_id = $1 AND id = ANY($2::bigint[])',
  },
  domain: {
    name: 'Domain',
    sql: 'SELECT domain_name AS value FROM custom_domains WHERE organization_id = $1 AND domain_name = ANY($2::text[])',
  },
  app: {
    name: 'App',
    sql: 'SELECT id::text AS value FROM apps WHERE organization_id = $1 AND id = ANY($2::bigint[])',
  },
};

const DEVICES = ['Mobile', 'Desktop', 'Tablet'];

/** Parses the filters of a request, and checks that the organization owns the resources in them. */
@Injectable()
export class ClickFilterReader {
  readonly shortDomain: string;

  constructor(
    private readonly database: Database,
    @Inject(Config) config: Pick<Config, 'shortUrlBase'>,
  ) {
    this.shortDomain = new URL(config.shortUrlBase).host;
  }

  /** @throws ValidationFailed, NotFound, APP_NOT_OWNED */
  async read(organizationId: number, request: ClickFilters): Promise<ValueFilter[]> {
    const filters = BREAKDOWNS.flatMap((breakdown) => this.filterOf(breakdown, request[breakdown] ?? []));
    for (const filter of filters) await this.check(organizationId, filter);
    return filters;
  }

  private filterOf(breakdown: Breakdown, given: readonly string[]): ValueFilter[] {
    if (given.length === 0) return [];
    const excludes = (value: string) => value.startsWith('!');
    return [
      {
        breakdown,
        included: given
          .filter((value) => !excludes(value))
          .map((value) => this.valueOf(breakdown, literal(value))),
        excluded: given.filter(excludes).map((value) => this.valueOf(breakdown, literal(value.slice(1)))),
      },
    ];
  }

  private valueOf(breakdown: Breakdown, text: string): string {
    const missing = isStored(breakdown) ? STORED[breakdown].missing : NONE;
    if (text === NONE || text === missing) return missing;
    if (breakdown === 'tag') return tagKey(text);
    if (breakdown === 'domain') {
      const name = text.toLowerCase();
      return name === this.shortDomain ? DEFAULT_DOMAIN_VALUE : name;
    }
    if (breakdown === 'link' || breakdown === 'campaign' || breakdown === 'app') {
      if (/^[1-9]\d{0,14}$/.test(text)) return text;
      throw ValidationFailed.field(breakdown, `must be an id or ${NONE}`);
    }
    if (breakdown === 'country') return countryOf(text);
    if (breakdown === 'device') return deviceOf(text);
    return text;
  }

  /** @param field request field, for errors @throws NotFound, APP_NOT_OWNED */
  async check(
    organizationId: number,
    { breakdown, included, excluded }: ValueFilter,
    field: string = breakdown,
  ): Promise<void> {
    const values = [...new Set([...included, ...excluded])].filter(
      (value) => value !== NONE && value !== DEFAULT_DOMAIN_VALUE,
    );
    if (values.length === 0) return;
    if (breakdown !== 'link' && breakdown !== 'campaign' && breakdown !== 'domain' && breakdown !== 'app')
      return;
    const { name, sql } = OWNED[breakdown];
    const known = await this.database.read<{ value: string }>(sql, [organizationId, values]);
    const found = new Set(known.map(({ value }) => value));
    if (values.every((value) => found.has(value))) return;
    throw breakdown === 'app' ? appNotOwned(field) : new NotFound(name, field);
  }
}

/** Removes the escaping backslash from a value that starts with `!` or a backslash. */
function literal(value: string): string {
  return value.startsWith('\\') ? value.slice(1) : value;
}

function countryOf(text: string): string {
  const code = text.toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return code;
  throw ValidationFailed.field('country', `must be an ISO 3166-1 alpha-2 code or ${UNKNOWN}`);
}

function deviceOf(text: string): string {
  const device = DEVICES.find((each) => each.toLowerCase() === text.toLowerCase());
  if (device !== undefined) return device;
  throw ValidationFailed.field('device', `must be one of ${[...DEVICES, UNKNOWN].join(', ')}`);
}
