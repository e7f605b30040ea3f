import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS_RULE } from '../access.decorator';

/** Stops the start of an application with a route that declares no access rule, because it would be open. */
@Injectable()
export class RouteCheck implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const prototype = metatype.prototype as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => {
          const handler = prototype[name];
          if (!handler || !Reflect.hasMetadata(PATH_METADATA, handler)) return false;
          return this.reflector.getAllAndOverride<unknown>(ACCESS_RULE, [handler, metatype]) === undefined;
        })
        .map((name) => `${metatype.name}.${name}`);
    });
    if (open.length > 0) throw new Error(`Routes without @Access or @Public: ${open.join(', ')}`);
  }
}
