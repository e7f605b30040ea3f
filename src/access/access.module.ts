import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessHousekeeping } from './access-housekeeping';
import { AddOnsConsoleController } from './add-ons/add-ons.console.controller';
import { AddOnsService } from './add-ons/add-ons.service';
import { BookedAddOn } from './add-ons/booked-add-on.entity';
import { ApiKey } from './api-keys/api-key.entity';
import { ApiKeyCache } from './api-keys/api-key-cache';
import { ApiKeysConsoleController } from './api-keys/api-keys.console.controller';
import { ApiKeysService } from './api-keys/api-keys.service';
import { KeyUsage } from './api-keys/key-usage';
import { ServiceKeys } from './api-keys/service-keys';
import { AppHeaders } from './app-keys/app-headers';
import { AuditEntriesService } from './audit/audit-entries.service';
import { AuditEntry } from './audit/audit-entry.entity';
import { AuditLog } from './audit/audit-log';
import { AuditLogConsoleController } from './audit/audit-log.console.controller';
import { ConsoleSession } from './console/console-session.entity';
import { ConsoleSessions } from './console/console-sessions';
import { ConsoleTokens } from './console/console-tokens';
import { LoginAttempts } from './console/login-attempts';
import { LoginConsoleController } from './console/login.console.controller';
import { LoginService } from './console/login.service';
import { MeConsoleController } from './users/me.console.controller';
import { MeService } from './users/me.service';
import { NetworkFailures } from './console/network-failures';
import { PasswordsService } from './console/passwords.service';
import { SessionCookie } from './console/session-cookie';
import { SessionsConsoleController } from './sessions.console.controller';
import { DemoOrganization } from './demo-organization';
import { KeyGuard } from './guards/key.guard';
import { OrganizationGuard } from './guards/organization.guard';
import { PublishableKeyGuard } from './guards/publishable-key.guard';
import { RateGuard } from './guards/rate.guard';
import { RequirementsGuard } from './guards/requirements.guard';
import { ServiceGuard } from './guards/service.guard';
import { ServiceRequirements } from './guards/service-requirements';
import { UnknownRouteFilter } from './guards/unknown-route.filter';
import { InvitationAcceptance } from './invitations/invitation-acceptance.service';
import { InvitationLinksConsoleController } from './invitations/invitation-links.console.controller';
import { Invitation } from './invitation.entity';
import { InvitationsConsoleController } from './invitations/invitations.console.controller';
import { InvitationsService } from './invitations/invitations.service';
import { OpenInvitations } from './invitations/open-invitations';
import { AllowedIp } from './ip-allow-list/allowed-ip.entity';
import { IpAllowListConsoleController } from './ip-allow-list/ip-allow-list.console.controller';
import { IpAllowListService } from './ip-allow-list/ip-allow-list.service';
import { BrowserCookie } from './oidc/browser-cookie';
import { IdentifiedUsers } from './oidc/identified-users';
import { IdentitiesConsoleController } from './oidc/identities.console.controller';
import { IdentitiesService } from './oidc/identities.service';
import { IdentityProvider } from './oidc/identity-provider';
import { Newcomers } from './oidc/newcomers';
import { OidcConsoleController } from './oidc/oidc.console.controller';
import { OidcService } from './oidc/oidc.service';
import { OidcSignIns } from './oidc/oidc-sign-ins';
import { UserIdentity } from './oidc/user-identity.entity';
import { ConcurrentUses } from './limits/concurrent-uses';
import { OrganizationLimits } from './limits/organization-limits.entity';
import { DeletedOrganizationCache } from './organizations/deleted-organizations';
import { Organization } from './organizations/organization.entity';
import { OrganizationCache } from './organizations/organization-cache';
import { OrganizationsConsoleController } from './organizations/organizations.console.controller';
import { OrganizationsService } from './organizations/organizations.service';
import { RateLimitsModule, RateLimitStorageModule } from './guards/rate-limits.module';
import { SignInLinksConsoleController } from './sign-in-links/sign-in-links.console.controller';
import { SignInLinks } from './sign-in-links/sign-in-links.service';
import { OwnChanges } from './users/own-changes';
import { User } from './user.entity';
import { UsersConsoleController } from './users/users.console.controller';
import { UsersService } from './users/users.service';

/** Guards run in this order (docs/concepts/access.md#order-of-checks). */
const CHECKS = [KeyGuard, OrganizationGuard, ServiceGuard, RateGuard, PublishableKeyGuard, RequirementsGuard];

const EXPORTS = [
  AuditLog,
  ConcurrentUses,
  DeletedOrganizationCache,
  DemoOrganization,
  OrganizationCache,
  OrganizationsService,
  ServiceRequirements,
  SignInLinks,
];

@Module({
  imports: [
    RateLimitsModule,
    RateLimitStorageModule,
    TypeOrmModule.forFeature([
      ConsoleSession,
      Organization,
      OrganizationLimits,
      User,
      ApiKey,
      AllowedIp,
      BookedAddOn,
      AuditEntry,
      Invitation,
      UserIdentity,
    ]),
  ],
  controllers: [
    LoginConsoleController,
    MeConsoleController,
    OidcConsoleController,
    IdentitiesConsoleController,
    SessionsConsoleController,
    SignInLinksConsoleController,
    OrganizationsConsoleController,
    UsersConsoleController,
    InvitationsConsoleController,
    InvitationLinksConsoleController,
    ApiKeysConsoleController,
    IpAllowListConsoleController,
    AddOnsConsoleController,
    AuditLogConsoleController,
  ],
  providers: [
    ...EXPORTS,
    ...CHECKS.flatMap((check) => [check, { provide: APP_GUARD, useExisting: check }]),
    { provide: APP_FILTER, useClass: UnknownRouteFilter },
    AccessHousekeeping,
    ApiKeyCache,
    ServiceKeys,
    AppHeaders,
    KeyUsage,
    ConsoleTokens,
    ConsoleSessions,
    LoginAttempts,
    LoginService,
    MeService,
    NetworkFailures,
    PasswordsService,
    SessionCookie,
    OwnChanges,
    InvitationsService,
    InvitationAcceptance,
    OpenInvitations,
    IdentityProvider,
    OidcSignIns,
    OidcService,
    IdentifiedUsers,
    IdentitiesService,
    Newcomers,
    BrowserCookie,
    UsersService,
    ApiKeysService,
    IpAllowListService,
    AddOnsService,
    AuditEntriesService,
  ],
  exports: EXPORTS,
})
export class AccessModule {}
