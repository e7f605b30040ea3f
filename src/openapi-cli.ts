import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import { createLogger } from './common/logging/logger';
import { readConfig } from './config/config';
import { createOpenApiDocument } from './openapi';

/** `npm run openapi -- <file>`: writes the OpenAPI document without starting the service or any store. */
async function main(file: string | undefined): Promise<void> {
  if (!file) throw new Error('Usage: npm run openapi -- <file>');
  const config = { ...readConfig(process.env), databaseUrl: '', encryptionKeys: [] };
  const module = AppModule.of(config, { logger: createLogger('silent') });
  const nest = await NestFactory.create<NestExpressApplication>(module, {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  writeFileSync(file, `${JSON.stringify(createOpenApiDocument(nest, config), null, 2)}\n`);
}

void main(process.argv[2]).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
