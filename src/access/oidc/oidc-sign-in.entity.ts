import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in that has begun, whose browser is at the identity provider. */
@Entity('oidc_sign_ins')
export class OidcSignIn {
  /** SHA-256 of the `state` parameter. */
  @PrimaryColumn({ name: 'state_hash', type: 'bytea' })
  stateHash!: Buffer;

  /** SHA-256 of the browser's cookie. */
  @Column({ name: 'browser_hash', type: 'bytea' })
  browserHash!: Buffer;

  /** PKCE code verifier. */
  @Column({ name: 'code_verifier', type: 'text' })
  codeVerifier!: string;

  @Column({ type: 'text' })
  nonce!: string;

  /** Path to continue at after the sign-in. */
  @Column({ name: 'return_to', type: 'text' })
  returnTo!: string;

  /** Invitation to accept, which may no longer be open. */
  @Column({ name: 'invitation_id', type: 'bigint', nullable: true })
  invitationId!: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
