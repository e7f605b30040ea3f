export const RECORD_TYPES = ['CNAME', 'A', 'AAAA', 'ALIAS'] as const;

export interface DnsRecord {
  readonly type: (typeof RECORD_TYPES)[number];
  readonly name: string;
  readonly value: string;
}

/** Problems that a check can find (docs/concepts/domains.md#verification). */
export const MEANINGS = {
  RECORD_MISSING: 'The CNAME that proves the domain does not exist',
  RECORD_WRONG: 'The CNAME that proves the domain has another value',
  NAME_SERVERS_FAILED: 'The name servers of the domain do not answer',
  RESOLVERS_FAILED: 'No name server answers, so nothing was checked',
  NOT_REACHED: 'The domain does not lead to this service',
} as const;

export type CheckProblem = keyof typeof MEANINGS;
export const CHECK_PROBLEMS = Object.keys(MEANINGS) as CheckProblem[];

/** Result of a check, as stored. */
export interface DomainCheck {
  /** Start of the check, as ISO 8601. */
  readonly checkedAt: string;
  readonly problem: CheckProblem | null;
  /** Records that exist, right or wrong. */
  readonly found: readonly DnsRecord[];
}
