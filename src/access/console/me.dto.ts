import { ApiProperty } from '@nestjs/swagger';
import type { User } from '../users/user.entity';
import { toUserResponse, UserResponse } from '../users/users.dto';

export class MeResponse extends UserResponse {
  @ApiProperty({
    description: 'Whether the user has a password, which changes of it and of the address ask for',
    example: true,
  })
  hasPassword!: boolean;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Organization of the user',
    example: 1,
  })
  organizationId!: number;

  @ApiProperty({ description: 'Name of the organization', example: 'Acme' })
  organizationName!: string;
}

export function toMeResponse(user: User, organizationName: string): MeResponse {
  const { organizationId, passwordHash } = user;
  const rest = { hasPassword: passwordHash !== null, organizationId, organizationName };
  return Object.assign(toUserResponse(user), rest);
}
