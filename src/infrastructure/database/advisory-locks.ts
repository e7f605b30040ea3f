export const ADVISORY_LOCK = {
  /** One process migrates, the others wait. */
  migration: 7_234_001,
  /** Shared by processes with Redis; exclusive for a process without. */
  process: 7_234_002,
  /** The first start creates the Demo organization once. */
  demoOrganization: 7_234_003,
  /** Claiming a month to compact it, as opposed to late changes; the second key is of the organization. */
  compactedMonths: 7_234_004,
  /** Compacting a month, by one process at a time; the second key is of the organization. */
  monthBuilds: 7_234_005,
  /** Taking Open Graph fetches of all organizations. */
  ogFetches: 7_234_008,
  /** Claiming a day or month of clicks to sum it, as opposed to counting clicks; the second key is the organization. */
  clickSums: 7_234_020,
  /** Claiming the name of a custom domain; the second key is a hash of the name. */
  domainNames: 7_234_021,
  /** Codes of a custom domain: shared to take them, exclusive to change whether case counts; the second key is its hash. */
  codes: 7_234_022,
  /** Adding a user's days with sessions; the second key is the user. */
  sessionUsers: 7_234_012,
} as const;
