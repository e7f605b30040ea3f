import { DATE_TIME, INT64, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { atom, type AtomOptions, textProblem } from '../../common/validation/atom';
import { PathId, Text } from '../../common/validation/atoms';
import { OrganizationPath } from '../organization-path.dto';
import type { AllowedIp } from './allowed-ip.entity';
import { parseRange } from '../cidr';

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
  @Field('Id of the entry', 5, INT64)
  id!: number;

  @Field('Address or range; host bits are zeroed', '203.0.113.0/24')
  cidr!: string;

  @Field('What the address belongs to', 'Office', TEXT_OR_NULL)
  label!: string | null;

  @Field('When it was added', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;
}

export class AllowedIpPage extends pageOf(AllowedIpResponse, 'AllowedIpPage') {}

export function toAllowedIpResponse({ id, cidr, label, createdAt }: AllowedIp): AllowedIpResponse {
  return { id, cidr, label, createdAt: toDateTime(createdAt) };
}
