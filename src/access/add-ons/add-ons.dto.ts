import { DATE_TIME, DATE_TIME_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf } from '../../common/validation/atoms';
import { ADD_ONS, type AddOn } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
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
  @Field('Code of the add-on', 'MESSAGING', { enum: ADD_ONS })
  code!: AddOn;

  @Field('Whether it is active now', true)
  active!: boolean;

  @Field('End of the booking; null: open-ended', '2027-12-31T23:59:59Z', DATE_TIME_OR_NULL)
  activeUntil!: string | null;

  @Field('When it was first booked', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;
}

export class AddOnPage extends pageOf(AddOnResponse, 'AddOnPage') {}

export function toAddOnResponse(addOn: BookedAddOn, now: Date): AddOnResponse {
  const { code, activeUntil, createdAt } = addOn;
  const active = activeUntil === null || activeUntil > now;
  return { code, active, activeUntil: toDateTime(activeUntil), createdAt: toDateTime(createdAt) };
}
