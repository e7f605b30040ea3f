import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import {
  CreateUserRequest,
  toListedUserResponse,
  toUserResponse,
  UpdateUserRequest,
  UserPage,
  UserPath,
  UserResponse,
} from './users.dto';
import { lockUsers, UsersService } from './users.service';
import { Editable } from '../../infrastructure/edits/editable.decorator';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'ADMIN' })
@ConsoleController('users', 'Console: users')
export class UsersConsoleController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listUsers',
    summary: 'List users',
    description: 'The users of the organization, newest first.',
    response: { type: UserPage, description: 'A page of users' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<UserPage> {
    const [rows, total] = await this.users.list(caller, query);
    const linked = await this.users.linked(rows);
    return Page.of(
      rows.map((row) => toListedUserResponse(row, linked.has(row.id))),
      total,
      query,
    );
  }

  @Post()
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'User names and e-mail addresses are unique across all organizations; one that is taken is 409 ' +
      'USERNAME_TAKEN or EMAIL_TAKEN. Only permissions that the caller has can be granted. More than eleven ' +
      'concurrent calls of one network that set a password are 429 RATE_LIMITED with Retry-After: 1.',
    response: { status: 201, type: UserResponse, description: 'The user' },
    errors: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'PERMISSION_DENIED', 'RATE_LIMITED'],
  })
  async create(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateUserRequest,
  ): Promise<UserResponse> {
    return toUserResponse(await this.users.create(caller, body));
  }

  @Get(':id')
  @ApiEndpoint({
    operationId: 'getUser',
    summary: 'Get a user',
    description: 'A user of the organization.',
    response: { type: UserResponse, description: 'The user' },
  })
  async get(@Caller() caller: Caller, @Param() { id }: UserPath): Promise<UserResponse> {
    return toUserResponse(await this.users.get(caller, id));
  }

  @Patch(':id')
  @Editable({ lock: lockUsers })
  @Access({ key: 'console', role: 'ADMIN', orSelf: true })
  @ApiEndpoint({
    operationId: 'updateUser',
    summary: 'Update a user',
    description:
      'Only supplied fields change. Users may change their own names, address and password; changing roles, ' +
      'permissions or other users requires the role ADMIN, and only permissions that the caller has can ' +
      "be granted. A new password ends the user's console sessions. The last ADMIN keeps the role: " +
      'LAST_ADMIN. EMAIL_TAKEN if another user has the address. New passwords are limited as in `createUser`.',
    response: { type: UserResponse, description: 'The updated user' },
    errors: ['USERNAME_TAKEN', 'EMAIL_TAKEN', 'LAST_ADMIN', 'PERMISSION_DENIED', 'RATE_LIMITED'],
  })
  async update(
    @Caller() caller: Caller,
    @Param() { id }: UserPath,
    @Body() body: UpdateUserRequest,
  ): Promise<UserResponse> {
    return toUserResponse(await this.users.update(caller, id, body));
  }

  @Delete(':id')
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description:
      "The user's API keys and console tokens stop working at once. The last ADMIN cannot be deleted: LAST_ADMIN.",
    response: { description: 'Deleted' },
    errors: ['LAST_ADMIN'],
  })
  remove(@Caller() caller: Caller, @Param() { id }: UserPath): Promise<void> {
    return this.users.remove(caller, id);
  }

  @Delete(':id/sessions')
  @Access({ key: 'console', role: 'ADMIN' })
  @ApiEndpoint({
    operationId: 'endUserSessions',
    summary: "End a user's sessions",
    description: "All console sessions of the user end at once, also the caller's own.",
    response: { description: 'Ended' },
  })
  endSessions(@Caller() caller: Caller, @Param() { id }: UserPath): Promise<void> {
    return this.users.endSessions(caller, id);
  }
}
