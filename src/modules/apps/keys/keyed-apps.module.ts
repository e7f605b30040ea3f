import { Global, Module } from '@nestjs/common';
import { KeyedApps } from '../../../access/app-keys/keyed-apps';
import { AppKeyCache } from '../cache/app-key-cache';

/** Provides app keys to the access guards. Global, because access sits below apps and cannot import it. */
@Global()
@Module({
  providers: [AppKeyCache, { provide: KeyedApps, useExisting: AppKeyCache }],
  exports: [AppKeyCache, KeyedApps],
})
export class KeyedAppsModule {}
