import { DATE_TIME, DATE_TIME_OR_NULL, INT64, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { normalizeEmail } from '../../common/contact-values/email';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { atom, type AtomOptions, textProblem } from '../../common/validation/atom';
import { Identifier, OneOf, PathId, Text } from '../../common/validation/atoms';
import { OnlyKnownNames } from '../../common/validation/known-names';
import { PERMISSIONS } from '../caller';
import { type Role, ROLES } from '../roles';
import { OrganizationPath } from '../organization-path.dto';
import type { User } from '../user.entity';

const EXAMPLE_PERMISSIONS = ['revenue.view', 'mau.view'];

/** A list of known permissions, without duplicates. */
export function PermissionList(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    if (!Array.isArray(value)) return 'must be an array';
    const known = value.every((item) => (PERMISSIONS as readonly unknown[]).includes(item));
    return known ? null : `must contain only ${PERMISSIONS.join(', ')}`;
  };
  return atom('permissionList', check, { enum: [...PERMISSIONS], isArray: true }, options);
}

export function Username(options: Partial<AtomOptions> = {}): PropertyDecorator {
  return Identifier({
    description: 'Login name, unique across all organizations in any letter case',
    example: 'kim.minji',
    min: 3,
    max: 100,
    pattern: /^\S+( \S+)*$/u,
    patternText: 'must have no white space but single spaces between words',
    ...options,
  });
}

export function Password(options: Partial<AtomOptions> = {}): PropertyDecorator {
  const base = { description: 'Password', example: 'correct horse battery staple' };
  return Text({ ...base, min: 8, max: 200, ...options });
}

const EXAMPLE_EMAIL = 'kim.minji@shop.example.com';

/** An e-mail address, stored in the form of `normalizeEmail`. */
export function Email(options: Partial<AtomOptions> = {}): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ?? (normalizeEmail(value).problem ? 'must be an e-mail address' : null);
  const description = 'E-mail address, unique across all organizations in any case, stored in lower case';
  const base = { description, example: EXAMPLE_EMAIL, optional: true };
  return atom('email', check, { type: String, maxLength: 254 }, { ...base, ...options });
}

export function DisplayName(options: Partial<AtomOptions> = {}): PropertyDecorator {
  return Text({
    description: 'Name that the console shows',
    example: 'Kim Minji',
    min: 1,
    max: 100,
    pattern: /^\S(.*\S)?$/u,
    patternText: 'must not begin or end with a space',
    optional: true,
    ...options,
  });
}

export class UserPath extends OrganizationPath {
  @PathId({ description: 'Id of the user' })
  id!: number;
}

@OnlyKnownNames()
export class CreateUserRequest {
  @Username()
  username!: string;

  @Password()
  password!: string;

  @OneOf(ROLES, {
    description: 'What the user may do; if omitted, VIEWER, or ADMIN for the first user of the organization',
    example: 'EDITOR',
    optional: true,
  })
  role?: Role | null;

  @PermissionList({
    description: 'Permissions of the user, and of keys that act for the user; none if omitted',
    example: EXAMPLE_PERMISSIONS,
    optional: true,
  })
  permissions?: string[] | null;

  @DisplayName()
  name?: string | null;

  @Email({ example: 'someone@shop.example.com' })
  email?: string | null;
}

/** Changes that users may make to themselves. Only supplied fields change; null clears address and display name. */
export class UpdateMeRequest {
  @DisplayName({ description: 'Name that the console shows; null removes it' })
  name?: string | null;

  @Username({ example: 'minji.kim', optional: true })
  username?: string | null;

  @Email({ description: 'E-mail address, unique across all organizations in any case; null removes it' })
  email?: string | null;

  @Password({ description: "New password; ends the user's other console sessions", optional: true })
  password?: string | null;

  @Text({
    max: 200,
    description:
      'Current password, required of users who change their own user name, password or e-mail address and have a ' +
      'password. A wrong one is VALIDATION_FAILED, and counts as a failed login (RATE_LIMITED)',
    example: 'correct horse battery staple',
    optional: true,
  })
  currentPassword?: string | null;
}

/** Only supplied fields change; null clears address and display name, and counts as omitted in other fields. */
export class UpdateUserRequest extends UpdateMeRequest {
  @OneOf(ROLES, {
    description: 'What the user may do; only an ADMIN may change it',
    example: 'EDITOR',
    optional: true,
  })
  role?: Role | null;

  @PermissionList({
    description: 'Permissions of the user, and of keys that act for the user; replaces the current list',
    example: EXAMPLE_PERMISSIONS,
    optional: true,
  })
  permissions?: string[] | null;
}

export class UserResponse {
  @Field('Id of the user', 7, INT64)
  id!: number;

  @Field('Login name', 'kim.minji')
  username!: string;

  @Field('What the user may do', 'EDITOR', { enum: ROLES })
  role!: Role;

  @Field('Name that the console shows', 'Kim Minji', TEXT_OR_NULL)
  name!: string | null;

  @Field('E-mail address', EXAMPLE_EMAIL, TEXT_OR_NULL)
  email!: string | null;

  @Field(
    'Whether the address identifies the user at the identity provider: true once an ADMIN or an ' +
      'invitation has set it',
    true,
  )
  emailConfirmed!: boolean;

  @Field('Permissions of the user, and of keys that act for the user', EXAMPLE_PERMISSIONS, {
    enum: PERMISSIONS,
    isArray: true,
  })
  permissions!: string[];

  @Field('When the user was created', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field('Last change', '2026-11-20T08:32:00Z', DATE_TIME)
  updatedAt!: string;
}

export class ListedUserResponse extends UserResponse {
  @Field(
    'Whether the user has signed in with an account at the identity provider, which is linked since',
    false,
  )
  identityLinked!: boolean;

  @Field(
    'When the user last signed in, in whatever way; null: not yet',
    '2026-11-20T08:32:00Z',
    DATE_TIME_OR_NULL,
  )
  lastSignInAt!: string | null;
}

export class UserPage extends pageOf(ListedUserResponse, 'UserPage') {}

export function toListedUserResponse(user: User, identityLinked: boolean): ListedUserResponse {
  return Object.assign(toUserResponse(user), { identityLinked, lastSignInAt: toDateTime(user.lastSignInAt) });
}

export function toUserResponse(user: User): UserResponse {
  const { id, username, name, email, emailConfirmed, role, permissions } = user;
  const times = { createdAt: toDateTime(user.createdAt), updatedAt: toDateTime(user.updatedAt) };
  return { id, username, role, name, email, emailConfirmed, permissions, ...times };
}
