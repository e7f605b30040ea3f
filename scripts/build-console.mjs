/**
 * Builds the console into dist/console: its types from the OpenAPI document, its scripts with Vite, and a compressed
 * copy of each file.
 *
 *   node scripts/build-console.mjs           everything
 *   node scripts/build-console.mjs --types   only the types, for lint and type checks
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import openapiTypescript, { astToString } from 'openapi-typescript';

const ROOT = resolve(import.meta.dirname, '..');
const API = 'console/src/api';
const OUT = 'dist/console';
const ORGANIZATION = '/api/v1/console/organizations/{organizationId}';
const COMPRESSED = /\.(?:css|html|js|json|svg)$/;

process.chdir(ROOT);
const document = JSON.parse(readFileSync('dist/openapi/console.json', 'utf8'));
writeValues(document);
if (process.argv.includes('--types')) await writeTypes(document);
else {
  await Promise.all([bundle(), writeTypes(document)]);
  await Promise.all(readdirSync(OUT, { recursive: true }).map((file) => compress(join(OUT, file))));
}

/** The values of each enum, by schema and field, or by operation and parameter: `CreateWebhookRequest_events`. */
function enums(document, operations) {
  const fields = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, schema]) => [`${name}_${field}`, schema]),
  );
  const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters.map(({ name, schema }) => [`${operationId}_${name}`, schema]),
  );
  return [...fields, ...parameters].flatMap(([name, schema]) => {
    const values = (schema?.enum ?? schema?.items?.enum)?.filter((value) => value !== null);
    return values && /^\w+$/.test(name) ? [`export const ${name} = ${JSON.stringify(values)} as const;`] : [];
  });
}

/** What each operation requires, and the values of enums. */
function writeValues(document) {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const requirements = (name, otherwise) =>
    JSON.stringify(
      Object.fromEntries(operations.map((one) => [one.operationId, one[name] ?? otherwise])),
      null,
      2,
    );
  writeFileSync(
    join(API, 'access.gen.ts'),
    `/** The least role that each operation requires of its user, if any. */
export const ROLES = ${requirements('x-role', null)} as const;
/** The permissions that operations require. */
export const PERMISSIONS = ${requirements('x-permission')} as const;
export type OperationId = keyof typeof ROLES;
`,
  );
  writeFileSync(join(API, 'values.gen.ts'), `${enums(document, operations).join('\n')}\n`);
}

/** Paths of an organization lose what they have in common, which the client adds: `/urls`. */
async function writeTypes(document) {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    for (const operation of Object.values(item)) {
      operation.parameters = operation.parameters?.filter(({ name }) => name !== 'organizationId');
      delete operation.security;
    }
    return [path.startsWith(ORGANIZATION) ? path.slice(ORGANIZATION.length) || '/' : path, item];
  });
  const schema = { ...document, paths: Object.fromEntries(paths) };
  writeFileSync(
    join(API, 'schema.gen.ts'),
    astToString(await openapiTypescript(schema, { defaultNonNullable: false })),
  );
}

async function bundle() {
  const vite = spawn(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--config', 'console/vite.config.mjs', '--logLevel', 'warn'],
    { stdio: 'inherit' },
  );
  const [status] = await once(vite, 'exit');
  if (status !== 0) process.exit(1);
}

async function compress(file) {
  if (!COMPRESSED.test(file)) return;
  const content = readFileSync(file);
  const [gz, br] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content),
  ]);
  writeFileSync(`${file}.gz`, gz);
  writeFileSync(`${file}.br`, br);
}
