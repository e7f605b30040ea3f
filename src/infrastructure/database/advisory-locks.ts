/** Postgres advisory locks of the service: one number each, and every process takes the same. */
export const ADVISORY_LOCK = {
  /** One process migrates, the others wait for it. */
  migration: 7_234_001,
  /** Processes with Redis share it; one without holds it alone. */
  process: 7_234_002,
  /** The first start makes the Demo organization once. */
  demoOrganization: 7_234_003,
  /** Compacting months of clicks, against counting late clicks. */
  clickMonths: 7_234_004,
  /** Giving customIds their numbers. */
  clickUsers: 7_234_005,
  /** Merging and summing clicks by customId, and deleting what is past retention. */
  customerSums: 7_234_006,
  /** With a second number, which stands for a user: adding days on which he had sessions. */
  sessionUsers: 7_234_012,
} as const;
