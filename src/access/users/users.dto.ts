import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { atom, type AtomOptions } from '../../common/validation/atom';
import { OneOf, PathId, Text } from '../../common/validation/atoms';
import { PERMISSIONS } from '../caller';
import { type Role, ROLES } from '../roles';
import { OrganizationPath } from '../organizations/organizations.dto';
import type { User } from './user.entity';

const EXAMPLE_PERMISSIONS = ['revenue.view', 'mau.view'];

/** A list of known permissions; duplicates count once. */
function PermissionList(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    if (!Array.isArray(value)) return 'must be an array';
    const known = value.every((item) => (PERMISSIONS as readonly unknown[]).includes(item));
    return known ? null : `must contain only ${PERMISSIONS.join(', ')}`;
  };
  return atom('permissionList', check, { enum: [...PERMISSIONS], isArray: true }, options);
}

function Username(options: Partial<AtomOptions> = {}): PropertyDecorator {
  return Text({
    description: 'Login name, unique across all organizations and case-sensitive',
    example: 'kim.minji',
    min: 3,
    max: 100,
    pattern: /^\S(.*\S)?$/u,
    patternText: 'must not begin or end with a space',
    ...options,
  });
}

function Password(options: Partial<AtomOptions> = {}): PropertyDecorator {
  const base = { description: 'Password', example: 'correct horse battery staple' };
  return Text({ ...base, min: 8, max: 200, ...options });
}

export class UserPath extends OrganizationPath {
  @PathId({ description: 'Id of the user' })
  id!: number;
}

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
}

/** Only supplied fields change; null counts as omitted. */
export class UpdateUserRequest {
  @Username({ example: 'minji.kim', optional: true })
  username?: string | null;

  @Password({ description: 'New password; ends all console sessions of the user', optional: true })
  password?: string | null;

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
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the user', example: 7 })
  id!: number;

  @ApiProperty({ description: 'Login name', example: 'kim.minji' })
  username!: string;

  @ApiProperty({ enum: ROLES, description: 'What the user may do', example: 'EDITOR' })
  role!: Role;

  @ApiProperty({
    enum: PERMISSIONS,
    isArray: true,
    description: 'Permissions of the user, and of keys that act for the user',
    example: EXAMPLE_PERMISSIONS,
  })
  permissions!: string[];

  @ApiProperty({
    format: 'date-time',
    description: 'When the user was created',
    example: '2026-11-20T08:32:00Z',
  })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', description: 'Last change', example: '2026-11-20T08:32:00Z' })
  updatedAt!: string;
}

export class UserPage extends pageOf(UserResponse, 'UserPage') {}

export function toUserResponse(user: User): UserResponse {
  const { id, username, role, permissions } = user;
  const times = { createdAt: toDateTime(user.createdAt), updatedAt: toDateTime(user.updatedAt) };
  return { id, username, role, permissions, ...times };
}
