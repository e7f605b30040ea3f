import { Field } from '../../common/http/api-field';
import { Text } from '../../common/validation/atoms';

/** A path of this host: printable ASCII without spaces, and without backslashes, which browsers read as slashes. */
const OWN_PATH = /^\/(?!\/)[!-[\]-~]*$/;

export class StartOidcQuery {
  @Text({
    max: 1000,
    pattern: OWN_PATH,
    patternText: 'must be a path of this service, such as /console/links',
    description: 'Path of this service to continue at',
    example: '/console/links',
    default: '/console',
    optional: true,
  })
  returnTo: string = '/console';

  @Text({
    max: 100,
    min: 1,
    description: 'Last part of the link of an invitation, which is accepted',
    example: 'wp_invitation_3fVQm4eW0sVtY7bK1nXc8dZ5aPgL3hJf6iMoRqTuEyA',
    optional: true,
  })
  invitation?: string;
}

export class OidcCallbackQuery {
  @Text({ max: 500, description: 'State of the sign-in', example: 'kT5q', optional: true })
  state?: string;

  @Text({ max: 4096, description: 'Authorization code', example: 'SplxlOBeZQQYbYS6WxSbIA', optional: true })
  code?: string;

  @Text({ max: 200, description: 'Why there is no code', example: 'access_denied', optional: true })
  error?: string;
}

export class OidcOption {
  @Field('What the identity provider is called', 'Acme SSO')
  label!: string;

  @Field(
    'Where a browser begins; `startOidc` says with which parameters',
    'https://api.example.com/api/v1/console/oidc/start',
  )
  url!: string;
}

export class SignInOptionsResponse {
  @Field('Whether users may sign in with a password', true)
  passwordLogin!: boolean;

  @Field('The identity provider; null if there is none', undefined, { type: OidcOption, nullable: true })
  oidc!: OidcOption | null;
}
