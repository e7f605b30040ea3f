import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, MoreThan, type Repository } from 'typeorm';
import { ValidationFailed } from '../../common/errors/errors';
import type { PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { AppOwners } from '../apps/cache/app-owners';
import { DebugSchemeRow } from './debug-scheme.entity';
import type { DebugSchemeRequest } from './debug-schemes.dto';
import { Database } from '../../infrastructure/database/database';
import { deleteInBatches, BATCH_ROWS } from '../../infrastructure/database/delete-in-batches';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';

const RETENTION_MS = 86_400_000;
/** Reports kept per organization, the latest ones; limited because reports are unauthenticated. */
const MAX_REPORTS = 10_000;
const OTHERS = 'schemeEnd, pathPart, androidPackage, appScheme and intentUrl';

/**
 * Reports of pages on which developers try deep links, kept for 24 hours (docs/concepts/deep-links.md#what-is-kept).
 */
@Injectable()
export class DebugSchemesService {
  constructor(
    @InjectRepository(DebugSchemeRow) private readonly rows: Repository<DebugSchemeRow>,
    private readonly database: Database,
    private readonly owners: AppOwners,
    private readonly clock: Clock,
    private readonly schedule: OncePerSchedule,
  ) {}

  /** @throws ValidationFailed for an empty report */
  async add(report: DebugSchemeRequest): Promise<void> {
    const { appUrl, schemeEnd, pathPart, androidPackage, appScheme, intentUrl } = report;
    const fields = { appUrl, schemeEnd, pathPart, androidPackage, appScheme, intentUrl };
    if (!Object.values(fields).some(Boolean)) {
      throw ValidationFailed.field('appUrl', `is required unless one of ${OTHERS} is given`);
    }
    const owner = await this.owners.find({
      androidPackage: androidPackage ?? null,
      schemes: [appScheme, appUrl].map((text) => schemeAtStart(text)).filter((scheme) => scheme !== null),
    });
    await this.database.write((tx) =>
      tx.repository(DebugSchemeRow).insert({
        organizationId: owner?.organizationId ?? null,
        appId: owner?.appId ?? null,
        receivedAt: this.clock.date(),
        ...fields,
      }),
    );
  }

  /** Reports, newest first. @param organizationId null for reports of unknown apps */
  list(
    organizationId: number | null,
    { page, size }: PageQuery,
  ): Promise<[rows: DebugSchemeRow[], total: number]> {
    const find = (rows: Repository<DebugSchemeRow>) =>
      rows.findAndCount({
        where: { organizationId: organizationId ?? IsNull(), receivedAt: MoreThan(this.begin()) },
        order: { id: 'DESC' },
        skip: page * size,
        take: size,
      });
    return organizationId === null
      ? find(this.rows)
      : this.database.report(organizationId, (tx) => find(tx.repository(DebugSchemeRow)));
  }

  /** Deletes reports older than 24 hours, and the oldest above the limit per organization. */
  @Cron('5-59/10 * * * *', { timeZone: 'UTC' })
  purge(): Promise<boolean> {
    return this.schedule.run('debug-schemes.purge', 600, async () => {
      await deleteInBatches(this.database, DELETE_OLD, [this.begin()]);
      await this.database.execute(DELETE_TOO_MANY, [MAX_REPORTS]);
    });
  }

  private begin(): Date {
    return new Date(this.clock.now() - RETENTION_MS);
  }
}

/** The scheme of a URL, or a scheme alone, in the format of a registered app. */
function schemeAtStart(text: string | null | undefined): string | null {
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]{0,94})(?::|$)/.exec(text ?? '') ?? [];
  return scheme === undefined ? null : `${scheme}://`;
}

const DELETE_OLD = `
  DELETE FROM debug_schemes
   WHERE (received_at, id) IN (SELECT received_at, id FROM debug_schemes WHERE received_at <= $1 LIMIT ${BATCH_ROWS})`;

const DELETE_TOO_MANY = `
  DELETE FROM debug_schemes USING (
    SELECT received_at, id, row_number() OVER (PARTITION BY organization_id ORDER BY id DESC) AS rank
      FROM debug_schemes) AS ranked
   WHERE debug_schemes.received_at = ranked.received_at AND debug_schemes.id = ranked.id AND ranked.rank > $1`;
