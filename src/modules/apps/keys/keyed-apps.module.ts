import { Global, Module } from '@nestjs/common';
import { KeyedApps } from '../../../access/app-keys/keyed-apps';
import { AppKeyCache } from '../cache/app-key-cache';

/** Provides app keys to the access guards. Global, because access must not import apps. */
@Global()
@Module({
  providers: [AppKeyCache, { provide: KeyedApps, useExisting: AppKeyCache }],
  exports: [AppKeyCache, KeyedApps],
})
export class KeyedAppsModule {}
