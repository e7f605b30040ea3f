import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf } from '../../common/validation/atoms';
import { ADD_ONS, type AddOn } from '../caller';
import { OrganizationPath } from '../organizations/organizations.dto';
import type { BookedAddOn } from './booked-add-on.entity';

export class AddOnPath extends OrganizationPath {
  @OneOf(ADD_ONS, { description: 'Code of the add-on', example: 'MESSAGING' })
  code!: AddOn;
}

export class BookAddOnRequest {
  @DateTimeText({ description: 'End of the booking; open-ended if omitted or null', optional: true })
  activeUntil?: string | null;
}

export class AddOnResponse {
  @ApiProperty({ enum: ADD_ONS, description: 'Code of the add-on', example: 'MESSAGING' })
  code!: AddOn;

  @ApiProperty({ description: 'Whether it is active now', example: true })
  active!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'End of the booking; null: open-ended',
    example: '2027-12-31T23:59:59Z',
  })
  activeUntil!: string | null;

  @ApiProperty({
    format: 'date-time',
    description: 'When it was first booked',
    example: '2026-11-20T08:32:00Z',
  })
  createdAt!: string;
}

export class AddOnPage extends pageOf(AddOnResponse, 'AddOnPage') {}

/** @param now time at which `active` is evaluated */
export function toAddOnResponse(addOn: BookedAddOn, now: Date): AddOnResponse {
  const { code, activeUntil, createdAt } = addOn;
  const active = activeUntil === null || activeUntil > now;
  return { code, active, activeUntil: toDateTime(activeUntil), createdAt: toDateTime(createdAt) };
}
