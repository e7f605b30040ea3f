import { ApiProperty } from '@nestjs/swagger';
import { Text } from '../../common/validation/atoms';
import { PERMISSIONS } from '../caller';

export class LoginRequest {
  @Text({ max: 100, description: 'User name', example: 'kim.minji' })
  username!: string;

  @Text({
    max: 200,
    description: 'Password; CREDENTIALS_INVALID if user name or password is wrong',
    example: 'correct horse battery staple',
  })
  password!: string;
}

export class LoginResponse {
  @ApiProperty({
    description: 'Console token, for `Authorization: Bearer <token>`',
    example: 'wp_console_2rUQm4eW0sVtY7bK1nXc8dZ5aPgL3hJf6iMoRqTuEyA',
  })
  token!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the token expires: after 12 hours',
    example: '2026-11-20T20:32:00Z',
  })
  expiresAt!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'The organization that the token is valid for',
    example: 1,
  })
  organizationId!: number;

  @ApiProperty({
    enum: PERMISSIONS,
    isArray: true,
    description: 'Permissions of the user',
    example: ['revenue.view'],
  })
  permissions!: string[];
}
