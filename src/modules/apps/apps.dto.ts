import { TEXT_OR_NULL, INT64, TEXTS, Field } from '../../common/http/api-field';
import { PageQuery } from '../../common/pagination/page';
import { springPageOf } from '../../common/pagination/spring-page';
import { PathId, Text } from '../../common/validation/atoms';
import {
  AppName,
  AppScheme,
  Fingerprints,
  ImageOrStoreUrl,
  Origins,
  PlatformName,
  TeamId,
} from './app.atoms';
import { type App, type Platform, PLATFORMS } from './app.entity';
import { WARNING_CODES, type WarningCode, warningsOf } from './app-warnings';

const optional = true;
const FINGERPRINT =
  '14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5';
const platform = {
  description: 'iOS, Android or Web, case-insensitive; cannot be changed later',
  example: 'iOS',
};
const appName = { description: 'Name of the app', example: 'Shop' };
const bundleId = {
  max: 255,
  min: 1,
  description: 'Bundle ID (iOS) or package name (Android); for Web, any name without spaces',
  example: 'com.example.shop',
};

/** Optional fields of an app. An empty string counts as null. */
class AppFields {
  @AppScheme({
    description:
      'URL scheme that opens the app, as `<scheme>://`; not one of the web or the system. Without scheme and storeUrl, ' +
      'links send phones to their destination, and `warnings` reports it',
    example: 'exampleshop://',
    optional,
  })
  scheme?: string | null;

  @TeamId({
    description:
      "Apple's team ID, for iOS apps only; without it, links never open the app as Universal Links",
    example: 'ABCDE12345',
    optional,
  })
  teamId?: string | null;

  @ImageOrStoreUrl({
    description: 'Store page; the rules for destinations apply (DESTINATION_NOT_ALLOWED)',
    example: 'https://apps.apple.com/app/id1234567890',
    optional,
  })
  storeUrl?: string | null;

  @ImageOrStoreUrl({
    description: 'Icon of the app; the rules for destinations apply (DESTINATION_NOT_ALLOWED)',
    example: 'https://shop.example.com/icon.png',
    optional,
  })
  appIconUrl?: string | null;

  @Fingerprints({
    description:
      'SHA-256 fingerprints of the certificates that sign the app, for Android apps only, at most 20; ' +
      'without one, links never open the app as App Links',
    example: [],
    optional,
  })
  sha256CertFingerprints?: string[] | null;

  @Origins({
    description:
      'Origins of the pages that may use the publishable key in browsers, at most 50; empty for all. Calls without an ' +
      '`Origin`, those of apps, always may',
    example: ['https://shop.example.com'],
    optional,
  })
  allowedOrigins?: string[] | null;
}

export class CreateAppRequest extends AppFields {
  @PlatformName(platform)
  platform!: Platform;

  @AppName(appName)
  appName!: string;

  @Text(bundleId)
  bundleId!: string;
}

/** Only the fields supplied change. null clears optional fields and leaves required ones unchanged. */
export class UpdateAppRequest extends AppFields {
  @PlatformName({
    ...platform,
    description: 'The current platform of the app, which cannot be changed',
    optional,
  })
  platform?: Platform | null;

  @AppName({ ...appName, optional })
  appName?: string | null;

  @Text({ ...bundleId, optional })
  bundleId?: string | null;
}

export class AppPath {
  @PathId({ description: 'Id of the app' })
  id!: number;
}

export class ListAppsQuery extends PageQuery {
  @Text({ max: 100, description: 'Part of the name, case-insensitive', example: 'shop', optional })
  search?: string;
}

const text = (description: string, example: string) => Field(description, example, TEXT_OR_NULL);

export class AppWarningResponse {
  @Field('Stable code', 'NO_APP_PAGE', { enum: WARNING_CODES })
  code!: WarningCode;

  @Field(
    'In words',
    'Without scheme and storeUrl there is nothing to open: its links lead phones to their destination',
  )
  message!: string;
}

export class AppResponse {
  @Field('Id', 3, INT64)
  id!: number;

  @Field('Name of the app', 'Shop')
  appName!: string;

  @Field('Platform of the app', 'iOS', { enum: PLATFORMS })
  platform!: Platform;

  @text('Bundle ID or package name; null for apps registered before it was required', 'com.example.shop')
  bundleId!: string | null;

  @Field('Generated URL namespace of its links, `<short domain>/<path>/<code>`', 'k3v9qx')
  path!: string;

  @Field(
    'Generated publishable key, which may be in apps and pages: it opens what `x-publishable-key` of an operation says',
    'wp_pub_0123456789ABCDEFabcdefXYZxyz00000000000',
  )
  publishableKey!: string;

  @Field(
    'Generated secret key; keep it on your server. Only its beginning is shown to callers below the role ADMIN',
    'wp_app_0123456789ABCDEFabcdefXYZxyz00000000000',
  )
  apiKey!: string;

  @text('URL scheme', 'exampleshop://')
  scheme!: string | null;

  @text("Apple's team ID; iOS only", 'ABCDE12345')
  teamId!: string | null;

  @text('Store page', 'https://apps.apple.com/app/id1234567890')
  storeUrl!: string | null;

  @text('Icon', 'https://shop.example.com/icon.png')
  appIconUrl!: string | null;

  @Field('SHA-256 fingerprints of its certificates; Android only', [FINGERPRINT], TEXTS)
  sha256CertFingerprints!: string[];

  @Field(
    'Origins of the pages that may use the publishable key in browsers; empty for all',
    ['https://shop.example.com'],
    TEXTS,
  )
  allowedOrigins!: string[];

  @Field(
    'Whether assetlinks.json of the short domain, which all organizations share, names the Android app. False for new ' +
      'apps; the platform decides. Domains of the organization name it in any case',
    false,
  )
  onShortDomain!: boolean;

  @Field('Missing settings that prevent its links from opening it; empty when complete', undefined, {
    type: AppWarningResponse,
    isArray: true,
  })
  warnings!: AppWarningResponse[];
}

export class AppSpringPage extends springPageOf(AppResponse, 'AppSpringPage') {}

/** @param apiKey the decrypted secret key */
export function toAppResponse(app: App, apiKey: string): AppResponse {
  return {
    id: app.id,
    appName: app.appName,
    platform: app.platform,
    bundleId: app.bundleId,
    path: app.path,
    publishableKey: app.publishableKey,
    apiKey,
    scheme: app.scheme,
    teamId: app.teamId,
    storeUrl: app.storeUrl,
    appIconUrl: app.appIconUrl,
    sha256CertFingerprints: app.sha256CertFingerprints,
    allowedOrigins: app.allowedOrigins,
    onShortDomain: app.onShortDomain,
    warnings: warningsOf(app),
  };
}
