/** Codes that the sign-in page explains (docs/security.md#errors-of-a-sign-in). */
type SignInErrorCode =
  | 'EMAIL_NOT_VERIFIED'
  | 'IDENTITY_TAKEN'
  | 'INVITATION_EMAIL_MISMATCH'
  | 'NOT_INVITED'
  | 'OIDC_NOT_CONFIGURED'
  | 'OIDC_PROVIDER_UNAVAILABLE'
  | 'OIDC_REFUSED'
  | 'OIDC_STATE_INVALID'
  | 'OIDC_TOKEN_INVALID'
  | 'SEVERAL_INVITATIONS'
  | 'USER_LINKED';

/** Ends a sign-in with the identity provider. Not an API error: a browser gets a page instead of a JSON body. */
export class SignInRefused extends Error {
  constructor(readonly code: SignInErrorCode) {
    super(code);
  }
}
