import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Encryption } from '../../common/crypto/encryption';
import type { EncryptionKey } from '../../config/encryption-keys';
import { BlindIndexes } from './blind-indexes';

/** `Encryption` with the keys of ENCRYPTION_KEYS, and what encrypted values are found by. */
@Global()
@Module({})
export class EncryptionModule {
  static of({ encryptionKeys }: { encryptionKeys: readonly EncryptionKey[] }): DynamicModule {
    return {
      module: EncryptionModule,
      providers: [{ provide: Encryption, useFactory: () => new Encryption(encryptionKeys) }, BlindIndexes],
      exports: [Encryption, BlindIndexes],
    };
  }
}
