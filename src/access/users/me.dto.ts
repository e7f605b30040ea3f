import { INT64, Field } from '../../common/http/api-field';
import type { User } from '../user.entity';
import { toUserResponse, UserResponse } from './users.dto';

export class MeResponse extends UserResponse {
  @Field('Whether the user has a password, which changes of it and of the address ask for', true)
  hasPassword!: boolean;

  @Field('Organization of the user', 1, INT64)
  organizationId!: number;

  @Field('Name of the organization', 'Acme')
  organizationName!: string;
}

export function toMeResponse(user: User, organizationName: string): MeResponse {
  const { organizationId, passwordHash } = user;
  const rest = { hasPassword: passwordHash !== null, organizationId, organizationName };
  return Object.assign(toUserResponse(user), rest);
}
