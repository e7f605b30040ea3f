import { TEXT_OR_NULL, DATE_TIME, INT64, INT64_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { Text } from '../../common/validation/atoms';
import type { DebugSchemeRow } from './debug-scheme.entity';

const APP_URL = { description: 'URL meant to open the app', example: 'exampleshop://products/42' };
const SCHEME_END = { description: 'The part after the scheme', example: '://' };
const PATH_PART = { description: 'Path for the app to open', example: 'products/42' };
const ANDROID_PACKAGE = { description: 'Package name on Android', example: 'com.example.shop' };
const APP_SCHEME = { description: 'Scheme of the app', example: 'exampleshop' };
const INTENT_URL = {
  description: 'The `intent:` URL that the page tried',
  example: 'intent://products/42#Intent;scheme=exampleshop;package=com.example.shop;end',
};

const MAX = { optional: true, max: 2000 } as const;

/** Body of debug-scheme (docs/concepts/deep-links.md#what-is-kept). */
export class DebugSchemeRequest {
  @Text({ ...MAX, ...APP_URL })
  appUrl?: string | null;

  @Text({ ...MAX, ...SCHEME_END })
  schemeEnd?: string | null;

  @Text({ ...MAX, ...PATH_PART })
  pathPart?: string | null;

  @Text({ ...MAX, ...ANDROID_PACKAGE })
  androidPackage?: string | null;

  @Text({ ...MAX, ...APP_SCHEME })
  appScheme?: string | null;

  @Text({ ...MAX, ...INTENT_URL })
  intentUrl?: string | null;
}

export class DebugSchemeResponse {
  @Field('Id of the report', 7, INT64)
  id!: number;

  @Field('Id of the app, when package or scheme identifies it', 42, INT64_OR_NULL)
  appId!: number | null;

  @Field(APP_URL.description, APP_URL.example, TEXT_OR_NULL)
  appUrl!: string | null;

  @Field(SCHEME_END.description, SCHEME_END.example, TEXT_OR_NULL)
  schemeEnd!: string | null;

  @Field(PATH_PART.description, PATH_PART.example, TEXT_OR_NULL)
  pathPart!: string | null;

  @Field(ANDROID_PACKAGE.description, ANDROID_PACKAGE.example, TEXT_OR_NULL)
  androidPackage!: string | null;

  @Field(APP_SCHEME.description, APP_SCHEME.example, TEXT_OR_NULL)
  appScheme!: string | null;

  @Field(INTENT_URL.description, INTENT_URL.example, TEXT_OR_NULL)
  intentUrl!: string | null;

  @Field('Time of receipt', '2026-11-20T08:32:00Z', DATE_TIME)
  receivedAt!: string;
}

export const DebugSchemePage = pageOf(DebugSchemeResponse, 'DebugSchemePage');

export function toDebugSchemeResponse({
  organizationId: _,
  receivedAt,
  ...report
}: DebugSchemeRow): DebugSchemeResponse {
  return { ...report, receivedAt: toDateTime(receivedAt) };
}
