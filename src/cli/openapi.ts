import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module';
import { createLogger } from '../common/logging/logger';
import { readConfig } from '../config/config';
import { directly } from '../infrastructure/database/database-address';
import { createOpenApiDocuments } from '../openapi/documents';
import { runTool } from '../start/run-tool';

/**
 * `npm run openapi -- <folder>`: writes the OpenAPI documents below the folder, at their URL paths without `/api`.
 * Starts neither the service nor a store.
 */
async function main(folder: string | undefined): Promise<void> {
  if (!folder) throw new Error('Usage: npm run openapi -- <folder>');
  const config = { ...readConfig(process.env), database: directly(''), encryptionKeys: [] };
  const module = AppModule.of(config, { logger: createLogger('silent') });
  const nest = await NestFactory.create<NestExpressApplication>(module, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  for (const [address, document] of createOpenApiDocuments(nest, config)) {
    const file = join(folder, address.replace(/^\/api/, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
  }
}

runTool(() => main(process.argv[2]));
