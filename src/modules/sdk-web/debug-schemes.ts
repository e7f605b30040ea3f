import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { AppOwners } from '../apps/cache/app-owners';
import type { DebugScheme, DebugSchemeReport } from './debug-scheme';
import { Database } from '../../infrastructure/database/database';

const KEPT_MS = 86_400_000;
/** Bounds the list per organization, because reports are unauthenticated; the newest stay. */
const MOST_KEPT = 10_000;
const PART = 10_000;
const OTHERS = 'schemeEnd, pathPart, androidPackage, appScheme and intentUrl';

/** Reports sent while developers try deep links on their pages, kept for 24 hours
 * (docs/concepts/deep-links.md#what-is-kept).
 */
@Injectable()
export class DebugSchemes {
  constructor(
    private readonly database: Database,
    private readonly owners: AppOwners,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed for an empty report */
  async add(report: DebugSchemeReport): Promise<void> {
    const { appUrl, schemeEnd, pathPart, androidPackage, appScheme, intentUrl } = report;
    if (![appUrl, schemeEnd, pathPart, androidPackage, appScheme, intentUrl].some(Boolean)) {
      throw ValidationFailed.field('appUrl', `must be given, or one of ${OTHERS}`);
    }
    const owner = await this.owners.find({
      androidPackage: androidPackage ?? null,
      schemes: [appScheme, appUrl].map((text) => schemeAtStart(text)).filter((scheme) => scheme !== null),
    });
    const texts = [appUrl, schemeEnd, pathPart, androidPackage, appScheme, intentUrl];
    await this.database.write((tx) =>
      tx.query(INSERT, [
        owner?.organizationId ?? null,
        owner?.appId ?? null,
        this.clock.date(),
        ...texts.map((text) => text ?? null),
      ]),
    );
  }

  /** Newest first. @param organizationId null for reports of unknown apps */
  async list(
    organizationId: number | null,
    { page, size }: PageQuery,
  ): Promise<[rows: DebugScheme[], total: number]> {
    const parameters = [organizationId, this.begin()];
    const count = await this.database.single<{ total: number }>(
      `SELECT count(*) AS total FROM debug_schemes WHERE ${OF_ORGANIZATION}`,
      parameters,
    );
    const rows = await this.database.read<DebugScheme>(LIST, [...parameters, size, page * size]);
    return [rows, count.total];
  }

  /** Deletes reports older than 24 hours, and the oldest above the limit of an organization. */
  async purge(): Promise<void> {
    let done: number;
    do {
      done = await this.database.execute(DELETE_OLD, [this.begin()]);
    } while (done === PART);
    await this.database.execute(DELETE_TOO_MANY, [MOST_KEPT]);
  }

  private begin(): Date {
    return new Date(this.clock.now() - KEPT_MS);
  }
}

/** The scheme of a URL, or a scheme alone, in the format of a registered app. */
function schemeAtStart(text: string | null | undefined): string | null {
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]{0,94})(?::|$)/.exec(text ?? '') ?? [];
  return scheme === undefined ? null : `${scheme}://`;
}

const INSERT = `
  INSERT INTO debug_schemes (organization_id, app_id, received_at, app_url, scheme_end, path_part, android_package,
                             app_scheme, intent_url)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const OF_ORGANIZATION = 'organization_id IS NOT DISTINCT FROM $1 AND received_at > $2';

const LIST = `
  SELECT id, app_id AS "appId", app_url AS "appUrl", scheme_end AS "schemeEnd", path_part AS "pathPart",
         android_package AS "androidPackage", app_scheme AS "appScheme", intent_url AS "intentUrl",
         received_at AS "receivedAt"
    FROM debug_schemes WHERE ${OF_ORGANIZATION} ORDER BY id DESC LIMIT $3 OFFSET $4`;

const DELETE_OLD = `
  DELETE FROM debug_schemes
   WHERE ctid = ANY(ARRAY(SELECT ctid FROM debug_schemes WHERE received_at <= $1 LIMIT ${PART}))`;

const DELETE_TOO_MANY = `
  DELETE FROM debug_schemes USING (
    SELECT received_at, id, row_number() OVER (PARTITION BY organization_id ORDER BY id DESC) AS place
      FROM debug_schemes) AS placed
   WHERE debug_schemes.received_at = placed.received_at AND debug_schemes.id = placed.id AND placed.place > $1`;
