/** Where Citus keeps the rows of a table. Without Citus, all are in one database; the SQL is the same. */
export type Placement = 'distributed' | 'by address' | 'reference' | 'local';

/** Rows of one organization are on one node: these tables are distributed by `organization_id`, in the same way. */
const DISTRIBUTED = [
  'activity_metrics',
  'app_installs',
  'audit_log',
  'bulk_jobs',
  'campaign_goal_rollups',
  'campaign_customers',
  'campaigns',
  'click_breakdowns',
  'customer_days',
  'customer_months',
  'dedup_locks',
  'click_day_visitors',
  'click_limit_notices',
  'click_link_sums',
  'click_months',
  'click_retention',
  'click_rollups',
  'click_sums',
  'click_totals',
  'click_visitors',
  'clicks',
  'compacted_months',
  'contact_activities',
  'contact_changes',
  'contact_counts',
  'contact_group_counts',
  'contact_group_members',
  'contact_groups',
  'contact_heads',
  'contacts',
  'credit_accounts',
  'credit_transactions',
  'deep_link_resolutions',
  'deep_link_tokens',
  'event_day_rollups',
  'event_rollups',
  'former_codes',
  'funnel_rollups',
  'funnel_sessions',
  'goal_months',
  'goal_rollups',
  'goals',
  'idempotency_keys',
  'link_associations',
  'link_counts',
  'link_health',
  'links',
  'message_send_rollups',
  'message_sends',
  'og_fetches',
  'opt_out_links',
  'outbox_events',
  'qr_settings',
  'reengaged_users',
  'reengagements',
  'segment_members',
  'segments',
  'session_events',
  'session_rollups',
  'session_source_rollups',
  'session_transitions',
  'session_user_days',
  'session_user_rollups',
  'session_users',
  'transition_rollups',
  'unsubscribe_heads',
  'unsubscribes',
  'visitor_rollups',
  'visitor_week_rollups',
  'webhook_deliveries',
  'webhook_endpoints',
] as const;

/** Tables distributed by `address`, and why. */
const BY_ADDRESS = {
  addresses: 'a code is found on one node, before its organization is known',
} as const;

/** Tables with a copy on every node, and why. */
const REFERENCE = {
  organizations: 'joined with, and referred to by, rows of every organization; few, and seldom written',
  apps: 'foreign keys of links and campaigns; keys of apps are unique over all organizations',
  custom_domains: 'joined with links; names are unique over all organizations',
} as const;

/** Tables on the coordinator alone, and why. */
const LOCAL = {
  users: 'usernames and e-mail addresses are unique over all organizations',
  api_keys: 'found by a hash that is unique over all organizations',
  console_sessions: 'found by a token; belongs to a user',
  sign_in_links: 'found by a token; belongs to a user',
  invitations: 'found by a token; joined with users',
  user_identities: 'unique over all organizations; joined with users',
  oidc_sign_ins: 'found by a token, before a user is known',
  login_failures: 'counted by username and address, before a user is known',
  ip_allow_list: 'loaded with keys and sessions',
  add_ons: 'loaded with keys and sessions',
  organization_limits: 'loaded with keys and sessions',
  scheduled_jobs: 'one row a job of the installation',
  click_journal: 'written by redirects without Redis in one commit for all organizations',
  click_salts: 'one a day for all organizations',
  debug_schemes: 'reports of a day; many are of no known organization',
  blind_index_secrets: 'one secret of the installation, read at the start',
  deep_link_keys: 'one key of the installation',
  encryption_keys: 'keys of the installation',
  migrations: 'the schema of the installation',
  live_feeds: 'ordered by transactions of the coordinator',
  live_batches: 'ordered by transactions of the coordinator',
} as const;

export const PLACEMENTS: ReadonlyMap<string, Placement> = new Map<string, Placement>([
  ...DISTRIBUTED.map((table) => [table, 'distributed'] as const),
  ...Object.keys(BY_ADDRESS).map((table) => [table, 'by address'] as const),
  ...Object.keys(REFERENCE).map((table) => [table, 'reference'] as const),
  ...Object.keys(LOCAL).map((table) => [table, 'local'] as const),
]);

/** Why a table is not distributed by organization; docs/scaling.md#where-tables-live lists the same. */
export const REASONS: Readonly<Record<string, string>> = { ...BY_ADDRESS, ...REFERENCE, ...LOCAL };
