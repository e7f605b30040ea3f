import { Column, PrimaryGeneratedColumn } from 'typeorm';

/** The default short domain, as `domainId` names it. */
export const DEFAULT_DOMAIN = 0;

/** Each kind's table and its column of the code. Invalidations of cached links name the table as their topic. */
export const TRACKED_LINK_TABLES = {
  link: { table: 'links', code: 'code' },
  campaign: { table: 'campaigns', code: 'alias' },
} as const;

/** What a code is unique by, and the key of its cached link. */
export function codeKey(domainId: number, code: string): string {
  return `${domainId}/${code}`;
}

/** Columns that Postgres maintains, and no entity carries. */
const MAINTAINED = { select: false, insert: false, update: false } as const;

/** What people click: all that links and campaigns have alike. Deleted ones stay, so that their codes stay taken. */
export abstract class TrackedLinkEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Custom domain, or DEFAULT_DOMAIN. */
  @Column({ name: 'domain_id', type: 'bigint' })
  domainId!: number;

  /** Generated code or custom alias; unique in its domain, case-sensitive. Its column has the kind's own word. */
  abstract code: string;

  /** Whether the organization chose the code: only then may it take it again after a deletion. */
  @Column({ name: 'is_alias', type: 'boolean' })
  isAlias!: boolean;

  /** A deleted one whose alias its organization has taken again: the code is another one's now. */
  abstract codeReleased: boolean;

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

  /** Which of the three the destination's page fills, in bits; the owner has set or cleared the others. */
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

  @Column({ name: 'goal_type', type: 'text', nullable: true })
  goalType!: string | null;

  /** Whether the destination gets the click's token; null: as the organization has set it. */
  @Column({ name: 'append_click_id', type: 'boolean', nullable: true })
  appendClickId!: boolean | null;

  /** Minutes in which a second click from the same address does not count; null: every click counts. */
  @Column({ name: 'deduplication_window_minutes', type: 'integer', nullable: true })
  deduplicationWindowMinutes!: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** Why the platform has disabled it: it answers 410 then; null: it is not disabled. */
  @Column({ name: 'disabled_reason', type: 'text', nullable: true, insert: false })
  disabledReason!: string | null;

  /** The user whose key or token made it; null for the platform. */
  @Column({ name: 'created_by', type: 'bigint', nullable: true })
  createdBy!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;

  /** Apps that it was linked to before, which a trigger maintains: addresses under their namespaces still work. */
  @Column({ name: 'former_app_ids', type: 'bigint', array: true, ...MAINTAINED })
  formerAppIds?: number[];

  /** Generated for the trigram index. */
  @Column({ name: 'search_text', type: 'text', ...MAINTAINED })
  searchText?: string;
}
