import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import type { EncryptionKey } from '../../config/encryption-keys';
import { BlindIndexes } from './blind-indexes';
import { EncryptedColumns } from './encrypted-columns';
import { FeedCursors } from './feed-cursors';
import { KeyCheck } from './key-check';
import { KeyRotation, KeyRotationSchedule } from './key-rotation';
import { ReEncryption } from './re-encryption';

/** `Encryption` with the keys of ENCRYPTION_KEYS, and the blind indexes to search encrypted values. */
@Global()
@Module({})
export class EncryptionModule {
  static of({ encryptionKeys }: { encryptionKeys: readonly EncryptionKey[] }): DynamicModule {
    return {
      module: EncryptionModule,
      providers: [
        { provide: Encryption, useFactory: () => new Encryption(encryptionKeys) },
        BlindIndexes,
        EncryptedColumns,
        FeedCursors,
        KeyCheck,
        KeyRotation,
        KeyRotationSchedule,
        ReEncryption,
      ],
      exports: [Encryption, EncryptedColumns, BlindIndexes, FeedCursors],
    };
  }

  /** For another thread of the process; the main thread checks and rotates the keys. */
  static beside({ encryptionKeys }: { encryptionKeys: readonly EncryptionKey[] }): DynamicModule {
    return {
      module: EncryptionModule,
      providers: [
        { provide: Encryption, useFactory: () => new Encryption(encryptionKeys) },
        EncryptedColumns,
      ],
      exports: [Encryption, EncryptedColumns],
    };
  }
}
