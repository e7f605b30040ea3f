import { Global, Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { OutgoingClient } from './outgoing-client';

/** Provides `OutgoingClient`, for every request to a host named by somebody else. */
@Global()
@Module({
  providers: [
    {
      provide: OutgoingClient,
      useFactory: ({ outboundAllowPrivate, dnsServers }: Config) =>
        new OutgoingClient({ allowPrivate: outboundAllowPrivate, dnsServers }),
      inject: [Config],
    },
  ],
  exports: [OutgoingClient],
})
export class OutgoingModule {}
