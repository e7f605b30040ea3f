import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in whose browser is at the identity provider. */
@Entity('oidc_sign_ins')
export class OidcSignIn {
  /** SHA-256 of the `state` parameter. */
  @PrimaryColumn({ name: 'state_hash', type: 'bytea' })
  stateHash!: Buffer;

  /** SHA-256 of the cookie of the browser that began it. */
  @Column({ name: 'browser_hash', type: 'bytea' })
  browserHash!: Buffer;

  /** Of PKCE. */
  @Column({ name: 'code_verifier', type: 'text' })
  codeVerifier!: string;

  @Column({ type: 'text' })
  nonce!: string;

  /** Path to continue at. */
  @Column({ name: 'return_to', type: 'text' })
  returnTo!: string;

  /** Invitation to accept, which may have ended meanwhile. */
  @Column({ name: 'invitation_id', type: 'bigint', nullable: true })
  invitationId!: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
