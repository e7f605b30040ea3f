import { DATE_TIME, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { toDateTime } from '../../../common/time/format';
import {
  CHECK_PROBLEMS,
  type CheckProblem,
  type DnsRecord,
  type DomainCheck,
  MEANINGS,
  RECORD_TYPES,
} from './domain-check';
import type { VerificationRecord } from './verification-records';

const NAME = 'links.example.com';
const PURPOSES = ['OWNERSHIP', 'TRAFFIC'] as const;

class DnsRecordResponse implements DnsRecord {
  @Field(
    'Type of the record. ALIAS, for a domain that cannot have a CNAME because it is an apex such as `example.com`: an ' +
      'ALIAS, ANAME or flattened CNAME, or A and AAAA records with the addresses of the value',
    'CNAME',
    { enum: RECORD_TYPES },
  )
  type!: DnsRecord['type'];

  @Field('Name of the record, without a trailing dot', `_waypost.${NAME}`)
  name!: string;

  @Field(
    'Value of the record, without a trailing dot',
    '0f8fad5bd9cb469fa16570867728950e.verify.go.example.com',
  )
  value!: string;
}

export class ExpectedRecordResponse extends DnsRecordResponse {
  @Field(
    'OWNERSHIP proves the domain. TRAFFIC brings its visitors here; any other record that does will do',
    'OWNERSHIP',
    { enum: PURPOSES },
  )
  purpose!: (typeof PURPOSES)[number];
}

export class DomainCheckResponse {
  @Field('Start of the check', '2026-11-20T08:42:00Z', DATE_TIME)
  checkedAt!: string;

  @Field('What was wrong; null if nothing was', 'RECORD_MISSING', {
    enum: CHECK_PROBLEMS,
    type: String,
    nullable: true,
  })
  problem!: CheckProblem | null;

  @Field('The problem in words', 'The CNAME that proves the domain does not exist', TEXT_OR_NULL)
  message!: string | null;

  @Field(
    'Records that exist, right or wrong: CNAMEs of the name that proves the domain, and, while the domain is VERIFIED, ' +
      'those that its own name leads to; 20 at most',
    undefined,
    { type: DnsRecordResponse, isArray: true },
  )
  found!: DnsRecordResponse[];
}

export function toExpectedRecords(
  ownership: VerificationRecord | null,
  traffic: DnsRecord,
): ExpectedRecordResponse[] {
  return [
    ...(ownership ? [{ type: 'CNAME' as const, ...ownership, purpose: 'OWNERSHIP' as const }] : []),
    { ...traffic, purpose: 'TRAFFIC' as const },
  ];
}

export function toDomainCheckResponse({ checkedAt, problem, found }: DomainCheck): DomainCheckResponse {
  return {
    checkedAt: toDateTime(new Date(checkedAt)),
    problem,
    message: problem && MEANINGS[problem],
    found: found.map(({ type, name, value }) => ({ type, name, value })),
  };
}
