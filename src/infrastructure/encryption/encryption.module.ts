import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import type { EncryptionKey } from '../../config/encryption-keys';
import { EncryptedColumns } from './encrypted-columns';
import { KeyCheck } from './key-check';
import { KeyRotation, KeyRotationSchedule } from './key-rotation';

/** `Encryption` with the keys of ENCRYPTION_KEYS, for every module that keeps something at rest. */
@Global()
@Module({})
export class EncryptionModule {
  static of({ encryptionKeys }: { encryptionKeys: readonly EncryptionKey[] }): DynamicModule {
    return {
      module: EncryptionModule,
      providers: [
        { provide: Encryption, useFactory: () => new Encryption(encryptionKeys) },
        EncryptedColumns,
        KeyCheck,
        KeyRotation,
        KeyRotationSchedule,
      ],
      exports: [Encryption, EncryptedColumns],
    };
  }
}
