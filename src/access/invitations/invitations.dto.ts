import { TEXT_OR_NULL, DATE_TIME, INT64, INT64_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { OneOf, PathId, Text } from '../../common/validation/atoms';
import { OnlyKnownNames } from '../../common/validation/known-names';
import { PERMISSIONS } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import { type Role, ROLES } from '../roles';
import { DisplayName, Email, Password, PermissionList, Username } from '../users/users.dto';
import type { Invitation } from '../invitation.entity';

const EXAMPLE_TOKEN = 'wp_invitation_3fVQm4eW0sVtY7bK1nXc8dZ5aPgL3hJf6iMoRqTuEyA';
const EXAMPLE_EMAIL = 'lee.jisoo@shop.example.com';
const personEmail = Field('Address of the person', EXAMPLE_EMAIL, TEXT_OR_NULL);
const expiry = Field('Until when it can be accepted: 72 hours', '2026-11-23T08:32:00Z', DATE_TIME);

export class InvitationPath extends OrganizationPath {
  @PathId({ description: 'Id of the invitation' })
  id!: number;
}

export class InvitationTokenPath {
  @Text({ max: 100, description: 'Last part of the link', example: EXAMPLE_TOKEN })
  token!: string;
}

@OnlyKnownNames()
export class CreateInvitationRequest {
  @Email({
    description:
      'Address of the person, which becomes that of the user; EMAIL_TAKEN if a user has it. With it, the ' +
      'person can also come through the identity provider without the link',
    example: EXAMPLE_EMAIL,
  })
  email?: string | null;

  @OneOf(ROLES, { description: 'What the user may do', example: 'EDITOR', default: 'VIEWER' })
  role: Role = 'VIEWER';

  @PermissionList({
    description: 'Permissions of the user; none if omitted',
    example: ['revenue.view', 'mau.view'],
    optional: true,
  })
  permissions?: string[] | null;
}

export class InvitationResponse {
  @Field('Id of the invitation', 4, INT64)
  id!: number;

  @personEmail
  email!: string | null;

  @Field('Role of the user who accepts it', 'EDITOR', { enum: ROLES })
  role!: Role;

  @Field('Permissions of the user who accepts it', ['revenue.view', 'mau.view'], {
    enum: PERMISSIONS,
    isArray: true,
  })
  permissions!: string[];

  @Field('Id of the user who made it, with whom it ends; null for the platform', 7, INT64_OR_NULL)
  createdBy!: number | null;

  @Field('When it was made', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @expiry
  expiresAt!: string;
}

export class CreatedInvitationResponse extends InvitationResponse {
  @Field(
    'The link for the person; shown only this once',
    `https://api.example.com/console/invitations/${EXAMPLE_TOKEN}`,
  )
  url!: string;
}

export class InvitationPage extends pageOf(InvitationResponse, 'InvitationPage') {}

export class OpenInvitationResponse {
  @Field('Name of the organization', 'Acme')
  organizationName!: string;

  @personEmail
  email!: string | null;

  @expiry
  expiresAt!: string;
}

export class AcceptInvitationRequest {
  @Username({ example: 'lee.jisoo' })
  username!: string;

  @Password()
  password!: string;

  @DisplayName({ example: 'Lee Ji-soo' })
  name?: string | null;
}

export function toInvitationResponse(invitation: Invitation): InvitationResponse {
  const { id, email, role, permissions, createdBy, createdAt, expiresAt } = invitation;
  const times = { createdAt: toDateTime(createdAt), expiresAt: toDateTime(expiresAt) };
  return { id, email, role, permissions, createdBy, ...times };
}
