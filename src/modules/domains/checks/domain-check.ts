export interface DnsRecord {
  readonly type: 'CNAME' | 'A' | 'AAAA' | 'ALIAS';
  readonly name: string;
  readonly value: string;
}

export const RECORD_TYPES = ['CNAME', 'A', 'AAAA', 'ALIAS'] as const satisfies readonly DnsRecord['type'][];

/** Problems that a check can find (docs/concepts/domains.md#verification). */
const MEANINGS = {
  RECORD_MISSING: 'The CNAME that proves the domain does not exist',
  RECORD_WRONG: 'The CNAME that proves the domain has another value',
  NAME_SERVERS_FAILED: 'The name servers of the domain do not answer',
  RESOLVERS_FAILED: 'No name server answers, so nothing was checked',
  NOT_REACHED: 'The domain does not lead to this service',
} as const;

export type CheckProblem = keyof typeof MEANINGS;
export const CHECK_PROBLEMS = Object.keys(MEANINGS) as CheckProblem[];

export function meaningOf(problem: CheckProblem): string {
  return MEANINGS[problem];
}

/** Result of a check, as stored. */
export interface DomainCheck {
  /** Start of the check, as ISO 8601. */
  readonly checkedAt: string;
  readonly problem: CheckProblem | null;
  /** Records that exist, right or wrong. */
  readonly found: readonly DnsRecord[];
}
