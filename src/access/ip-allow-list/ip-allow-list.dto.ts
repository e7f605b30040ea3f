import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { atom, type AtomOptions, textProblem } from '../../common/validation/atom';
import { PathId, Text } from '../../common/validation/atoms';
import { OrganizationPath } from '../organizations/organizations.dto';
import type { AllowedIp } from './allowed-ip.entity';
import { parseRange } from './cidr';

/** A single address or a CIDR, IPv4 or IPv6. */
function IpRange(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (parseRange(value as string) ? null : 'must be an IP address or a CIDR such as 203.0.113.0/24');
  return atom('ipRange', check, { type: String, maxLength: 49 }, options);
}

export class AllowedIpPath extends OrganizationPath {
  @PathId({ description: 'Id of the entry' })
  id!: number;
}

export class CreateAllowedIpRequest {
  @IpRange({ description: 'A single address or a CIDR, IPv4 or IPv6', example: '203.0.113.0/24' })
  cidr!: string;

  @Text({ max: 100, description: 'What the address belongs to', example: 'Office', optional: true })
  label?: string | null;
}

export class AllowedIpResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the entry', example: 5 })
  id!: number;

  @ApiProperty({ description: 'Address or range; host bits are zeroed', example: '203.0.113.0/24' })
  cidr!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the address belongs to',
    example: 'Office',
  })
  label!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was added', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;
}

export class AllowedIpPage extends pageOf(AllowedIpResponse, 'AllowedIpPage') {}

export function toAllowedIpResponse({ id, cidr, label, createdAt }: AllowedIp): AllowedIpResponse {
  return { id, cidr, label, createdAt: toDateTime(createdAt) };
}
