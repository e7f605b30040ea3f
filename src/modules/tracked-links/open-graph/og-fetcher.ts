import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { describeError } from '../../../common/logging/logger';
import { Config } from '../../../config/config';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { TRACKED_LINK_TABLES, type TrackedLinkEntity } from '../tracked-link.entity';
import { TrackedLinkChanges } from '../tracked-link-changes';
import { type DueOgFetch, OgFetches, ogAssignments, ogDiffers } from './og-fetches';
import { type OgValues, PageReader } from './page-reader';
import { Database } from '../../../infrastructure/database/database';

const EVERY_SECONDS = 5;
/** Fetches per run, so that bulk creations do not monopolize the process. */
const BATCH = 100;
/** Fetches of an organization per turn. */
const TURN = 10;
const CONCURRENCY = 8;

type Described = Pick<TrackedLinkEntity, 'id' | 'organizationId' | 'domainId' | 'code' | 'formerCodes'>;

/**
 * Fills omitted Open Graph fields from destinations' pages, on a schedule (docs/concepts/links.md#open-graph-fields).
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
    private readonly config: Config,
  ) {}

  onModuleDestroy(): void {
    this.closing = true;
  }

  @Interval(EVERY_SECONDS * 1_000)
  tick(): Promise<boolean> {
    return this.schedule.run('og.fetch', EVERY_SECONDS, () => this.run());
  }

  /** Processes one batch of due fetches. */
  async run(): Promise<void> {
    if (!this.config.ogFetch) {
      await this.fetches.deleteDue();
      return;
    }
    await this.fetches.deleteExhausted();
    const due = this.takeTurns();
    // Each page is fetched once, however many links lead to it.
    const read = new Map<string, Promise<OgValues | null>>();
    const worker = async () => {
      for await (const fetch of due) {
        try {
          await this.fill(fetch, read);
        } catch (error) {
          this.logger.warn(
            `Open Graph fields of ${fetch.kind} ${fetch.trackedLinkId} could not be stored: ${describeError(error).message}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  /** Takes fetches only when a worker is free, so that pages that do not respond hold up few others. */
  private async *takeTurns(): AsyncGenerator<DueOgFetch, void> {
    for (let left = BATCH; left > 0; left -= TURN) {
      const taken = await this.fetches.take(TURN);
      if (taken.length === 0) return;
      for (const fetch of taken) {
        if (this.closing) return;
        yield fetch;
      }
    }
  }

  private async fill(fetch: DueOgFetch, read: Map<string, Promise<OgValues | null>>): Promise<void> {
    const url = await this.urlOf(fetch);
    if (url !== null) {
      const reading = read.get(url) ?? this.pages.read(url);
      read.set(url, reading);
      const values = await reading;
      if (!values) return;
      await this.store(fetch, url, values);
    }
    await this.fetches.end(fetch);
  }

  /** The destination; null if there is no field left to fill, or the link or campaign has been deleted. */
  private async urlOf({ kind, trackedLinkId, organizationId }: DueOgFetch): Promise<string | null> {
    const table = TRACKED_LINK_TABLES[kind];
    const [row] = await this.database.lookup<{ url: string }>(
      `SELECT original_url AS url FROM ${table}
        WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL AND og_auto <> 0`,
      [trackedLinkId, organizationId],
    );
    return row?.url ?? null;
  }

  /** Stores the values, unless the destination has changed since. Not audited, because no user makes the change. */
  private async store(
    { kind, trackedLinkId, organizationId }: DueOgFetch,
    url: string,
    values: OgValues,
  ): Promise<void> {
    const table = TRACKED_LINK_TABLES[kind];
    await this.database.write(async (tx) => {
      const rows = await tx.query<Described>(
        `UPDATE ${table} SET ${ogAssignments(4)}
          WHERE id = $1 AND organization_id = $2 AND original_url = $3 AND deleted_at IS NULL
            AND ${ogDiffers(4)}
          RETURNING id, organization_id AS "organizationId", domain_id AS "domainId", code,
                    former_codes AS "formerCodes"`,
        [trackedLinkId, organizationId, url, values.ogTitle, values.ogDescription, values.ogImageUrl],
      );
      await this.changes.changed(tx, kind, rows);
    });
  }
}
