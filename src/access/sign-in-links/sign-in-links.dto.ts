import { Text } from '../../common/validation/atoms';

export class SignInByLinkRequest {
  @Text({
    max: 100,
    description: 'What follows `#token=` in the link; SIGN_IN_LINK_INVALID if it is unknown, used or expired',
    example: 'wp_sign_in_3fVQm4eW0sVtY7bK1nXc8dZ5aPgL3hJf6iMoRqTuEyA',
  })
  token!: string;
}
