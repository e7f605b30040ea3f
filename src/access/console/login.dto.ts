import { DATE_TIME, INT64, Field } from '../../common/http/api-field';
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
  @Field(
    'Console token, for `Authorization: Bearer <token>`',
    'wp_console_2rUQm4eW0sVtY7bK1nXc8dZ5aPgL3hJf6iMoRqTuEyA',
  )
  token!: string;

  @Field('When the token expires: after 12 hours', '2026-11-20T20:32:00Z', DATE_TIME)
  expiresAt!: string;

  @Field('The organization that the token is valid for', 1, INT64)
  organizationId!: number;

  @Field('Permissions of the user', ['revenue.view'], { enum: PERMISSIONS, isArray: true })
  permissions!: string[];
}
