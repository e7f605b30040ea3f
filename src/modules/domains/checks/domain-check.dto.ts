import { ApiProperty } from '@nestjs/swagger';
import { toDateTime } from '../../../common/time/format';
import {
  CHECK_PROBLEMS,
  type CheckProblem,
  type DnsRecord,
  type DomainCheck,
  meaningOf,
  RECORD_TYPES,
} from './domain-check';
import type { VerificationRecord } from './verification-records';

const NAME = 'links.example.com';
const PURPOSES = ['OWNERSHIP', 'TRAFFIC'] as const;

class DnsRecordResponse implements DnsRecord {
  @ApiProperty({
    enum: RECORD_TYPES,
    description:
      'Type of the record. ALIAS, for a domain that cannot have a CNAME because it is an apex such as `example.com`: an ' +
      'ALIAS, ANAME or flattened CNAME, or A and AAAA records with the addresses of the value',
    example: 'CNAME',
  })
  type!: DnsRecord['type'];

  @ApiProperty({ description: 'Name of the record, without a trailing dot', example: `_waypost.${NAME}` })
  name!: string;

  @ApiProperty({
    description: 'Value of the record, without a trailing dot',
    example: '0f8fad5bd9cb469fa16570867728950e.verify.go.example.com',
  })
  value!: string;
}

export class ExpectedRecordResponse extends DnsRecordResponse {
  @ApiProperty({
    enum: PURPOSES,
    description:
      'OWNERSHIP proves the domain. TRAFFIC brings its visitors here; any other record that does will do',
    example: 'OWNERSHIP',
  })
  purpose!: (typeof PURPOSES)[number];
}

export class DomainCheckResponse {
  @ApiProperty({ format: 'date-time', description: 'Start of the check', example: '2026-11-20T08:42:00Z' })
  checkedAt!: string;

  @ApiProperty({
    enum: CHECK_PROBLEMS,
    type: String,
    nullable: true,
    description: 'What was wrong; null if nothing was',
    example: 'RECORD_MISSING',
  })
  problem!: CheckProblem | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The problem in words',
    example: 'The CNAME that proves the domain does not exist',
  })
  message!: string | null;

  @ApiProperty({
    type: DnsRecordResponse,
    isArray: true,
    description:
      'Records that exist, right or wrong: CNAMEs of the name that proves the domain, and, while the domain is VERIFIED, ' +
      'those that its own name leads to; 20 at most',
  })
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
    message: problem && meaningOf(problem),
    found: found.map(({ type, name, value }) => ({ type, name, value })),
  };
}
