import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { describeError } from '../../../common/logging/logger';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { TRACKED_LINK_TABLES } from '../tracked-link.entity';
import { TrackedLinkChanges } from '../tracked-link-changes';
import { type DueOgFetch, OgFetches, ogAssignments } from './og-fetches';
import { type OgValues, PageReader } from './page-reader';
import { Database } from '../../../infrastructure/database/database';

const EVERY_SECONDS = 5;
/** Of one run: what is more waits for the next, and a bulk of links does not take the machine. */
const BATCH = 100;
const AT_ONCE = 8;

/**
 * Fills Open Graph fields that were not given from the destinations' pages, behind the answers
 * (docs/concepts/links.md#open-graph-fields).
 */
@Injectable()
export class OgFetcher implements OnModuleDestroy {
  private readonly logger = new Logger(OgFetcher.name);
  private closing = false;

  constructor(
    private readonly fetches: OgFetches,
    private readonly pages: PageReader,
    private readonly changes: TrackedLinkChanges,
    private readonly database: Database,
    private readonly schedule: OncePerSchedule,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleDestroy(): void {
    this.closing = true;
  }

  @Interval(EVERY_SECONDS * 1_000)
  tick(): Promise<boolean> {
    return this.schedule.run('og.fetch', EVERY_SECONDS, () => this.run());
  }

  /** Reads the pages that are due, a batch of them. */
  async run(): Promise<void> {
    if (!this.config.ogFetch) {
      await this.fetches.forgetDue();
      return;
    }
    await this.fetches.forgetTried();
    const due = await this.fetches.take(BATCH);
    // Of many links to one page, it is read once.
    const read = new Map<string, Promise<OgValues | null>>();
    const worker = async () => {
      for (let fetch = due.shift(); fetch && !this.closing; fetch = due.shift()) {
        try {
          await this.fill(fetch, read);
        } catch (error) {
          this.logger.warn(
            `The page of ${fetch.kind} ${fetch.trackedLinkId} was not kept: ${describeError(error).message}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async fill(fetch: DueOgFetch, read: Map<string, Promise<OgValues | null>>): Promise<void> {
    const url = await this.urlOf(fetch);
    if (url !== null) {
      const reading = read.get(url) ?? this.pages.read(url);
      read.set(url, reading);
      const values = await reading;
      if (!values) return;
      await this.keep(fetch, url, values);
    }
    await this.fetches.end(fetch);
  }

  /** Null when nothing is left to fill, or it has been deleted. */
  private async urlOf({ kind, trackedLinkId, organizationId }: DueOgFetch): Promise<string | null> {
    const { table } = TRACKED_LINK_TABLES[kind];
    const [row] = await this.database.lookup<{ url: string }>(
      `SELECT original_url AS url FROM ${table}
        WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL AND og_auto <> 0`,
      [trackedLinkId, organizationId],
    );
    return row?.url ?? null;
  }

  /** Only what still leads there is described by it. It is nobody's change, so the audit log does not hear of it. */
  private async keep(
    { kind, trackedLinkId, organizationId }: DueOgFetch,
    url: string,
    values: OgValues,
  ): Promise<void> {
    const { table, code } = TRACKED_LINK_TABLES[kind];
    await this.database.write(async (tx) => {
      const rows = await tx.query<{ domainId: number; code: string }>(
        `UPDATE ${table} SET ${ogAssignments(4)}
          WHERE id = $1 AND organization_id = $2 AND original_url = $3 AND deleted_at IS NULL
          RETURNING domain_id AS "domainId", ${code} AS code`,
        [trackedLinkId, organizationId, url, values.ogTitle, values.ogDescription, values.ogImageUrl],
      );
      if (rows.length > 0) this.changes.announce(tx, kind, rows);
    });
  }
}
