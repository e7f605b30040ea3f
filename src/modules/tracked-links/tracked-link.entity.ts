import { Column, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { TargetingRule, Variant } from './routing/routing';

/** `domainId` of the default short domain. */
export const DEFAULT_DOMAIN_ID = 0;

/** The table of each kind, whose name is also the topic of cache invalidations. */
export const TRACKED_LINK_TABLES = { link: 'links', campaign: 'campaigns' } as const;

/** All codes that lead to a link or campaign. */
export type PublishedCodes = Pick<TrackedLinkEntity, 'domainId' | 'code' | 'formerCodes'>;

/** Columns maintained by Postgres, which entities do not load. */
const MAINTAINED = { select: false, insert: false, update: false } as const;

/** Columns common to links and campaigns. Deleted rows are kept, so that their codes stay taken. */
export abstract class TrackedLinkEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Id of the custom domain, or DEFAULT_DOMAIN_ID. */
  @Column({ name: 'domain_id', type: 'bigint' })
  domainId!: number;

  /** Generated code or alias, as chosen; unique per domain and kind. */
  @Column({ type: 'text' })
  code!: string;

  /** Whether the organization chose the code; only then may it reuse the code after a deletion. */
  @Column({ name: 'is_alias', type: 'boolean' })
  isAlias!: boolean;

  /** Whether the row is deleted and its organization has reused the code for another one. */
  @Column({ name: 'code_released', type: 'boolean' })
  codeReleased!: boolean;

  /** Id in the organization's own system, unique among rows that are not deleted. */
  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId!: string | null;

  /** Former codes that still lead to it, oldest first. */
  @Column({ name: 'former_codes', type: 'text', array: true })
  formerCodes!: string[];

  @Column({ name: 'original_url', type: 'text' })
  originalUrl!: string;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ name: 'show_ad_page', type: 'boolean' })
  showAdPage!: boolean;

  @Column({ name: 'og_title', type: 'text', nullable: true })
  ogTitle!: string | null;

  @Column({ name: 'og_description', type: 'text', nullable: true })
  ogDescription!: string | null;

  @Column({ name: 'og_image_url', type: 'text', nullable: true })
  ogImageUrl!: string | null;

  /** Bit set of the Open Graph fields that are filled from the destination's page rather than by the owner. */
  @Column({ name: 'og_auto', type: 'smallint' })
  ogAuto!: number;

  @Column({ name: 'ios_app_id', type: 'bigint', nullable: true })
  iosAppId!: number | null;

  @Column({ name: 'android_app_id', type: 'bigint', nullable: true })
  androidAppId!: number | null;

  @Column({ name: 'ios_deep_link_path', type: 'text', nullable: true })
  iosDeepLinkPath!: string | null;

  @Column({ name: 'android_deep_link_path', type: 'text', nullable: true })
  androidDeepLinkPath!: string | null;

  @Column({ name: 'mobile_target_url', type: 'text', nullable: true })
  mobileTargetUrl!: string | null;

  @Column({ name: 'utm_source', type: 'text', nullable: true })
  utmSource!: string | null;

  @Column({ name: 'utm_medium', type: 'text', nullable: true })
  utmMedium!: string | null;

  @Column({ name: 'utm_term', type: 'text', nullable: true })
  utmTerm!: string | null;

  @Column({ name: 'utm_content', type: 'text', nullable: true })
  utmContent!: string | null;

  @Column({ name: 'utm_campaign', type: 'text', nullable: true })
  utmCampaign!: string | null;

  @Column({ name: 'goal_type', type: 'text', nullable: true })
  goalType!: string | null;

  /** Whether the click's token is appended to the destination; null for the organization's default. */
  @Column({ name: 'append_click_id', type: 'boolean', nullable: true })
  appendClickId!: boolean | null;

  /** Minutes during which repeated clicks from one IP address count once; null: every click counts. */
  @Column({ name: 'deduplication_window_minutes', type: 'integer', nullable: true })
  deduplicationWindowMinutes!: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** Until then, it behaves like an unknown code, or leads to `notStartedUrl`; null: no start. */
  @Column({ name: 'starts_at', type: 'timestamptz', nullable: true })
  startsAt!: Date | null;

  @Column({ name: 'not_started_url', type: 'text', nullable: true })
  notStartedUrl!: string | null;

  /** Where it leads once it has expired or is used up; takes precedence over the domain's URL. */
  @Column({ name: 'expired_url', type: 'text', nullable: true })
  expiredUrl!: string | null;

  /** The organization's own switch; while it is off, the link behaves like an unknown code. */
  @Column({ type: 'boolean' })
  enabled!: boolean;

  /** Whether lists omit it. */
  @Column({ type: 'boolean' })
  archived!: boolean;

  /** Whether the query of a request is passed on to the destination. */
  @Column({ name: 'forward_query', type: 'boolean' })
  forwardQuery!: boolean;

  /** As supplied; distinct regardless of case. */
  @Column({ type: 'text', array: true })
  tags!: string[];

  /** The tags in lower case, for searching. */
  @Column({ name: 'tag_keys', type: 'text', array: true })
  tagKeys!: string[];

  /** Created by `hashPassword`; null: no password is required. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  /** Maximum number of visits by people; null: no limit. */
  @Column({ name: 'max_clicks', type: 'integer', nullable: true })
  maxClicks!: number | null;

  /** Visits that counted towards `maxClicks`; written by LinkPasses only. */
  @Column({ name: 'used_clicks', type: 'integer', insert: false, update: false })
  usedClicks!: number;

  /** Clicks that another product had counted before the import. */
  @Column({ name: 'imported_clicks', type: 'bigint' })
  importedClicks!: number;

  /** The first rule that matches a visitor applies. */
  @Column({ type: 'json', nullable: true })
  targeting!: TargetingRule[] | null;

  /** Destinations among which visitors are distributed. */
  @Column({ type: 'json', nullable: true })
  variants!: Variant[] | null;

  /** Why the platform has disabled it, so that it responds with 410; null if enabled. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true, insert: false })
  disabledReason!: string | null;

  /** The user who created it, in person or by a key; null for the platform. */
  @Column({ name: 'created_by', type: 'bigint', nullable: true })
  createdBy!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  /** Formerly linked apps, maintained by a trigger: URLs under their namespaces still work. */
  @Column({ name: 'former_app_ids', type: 'bigint', array: true, ...MAINTAINED })
  formerAppIds?: number[];

  /** Generated column for the trigram index. */
  @Column({ name: 'search_text', type: 'text', ...MAINTAINED })
  searchText?: string;
}
