import { CutText } from '../../common/validation/atoms';
import { ScreenSize } from '../../common/validation/lenient';
import { MAX_DEVICE_TEXT } from './session';

const deviceText = (description: string, example: string) =>
  CutText({ max: MAX_DEVICE_TEXT, description, example, optional: true });

/** Device information that a client reports (docs/web-sdk.md#device-information). */
export class DeviceInfoRequest {
  @deviceText('Platform', 'IOS')
  platform?: string | null;

  @deviceText('Operating system; default: from userAgent', 'iOS')
  os?: string | null;

  @deviceText('Operating system version', '26.1')
  osVersion?: string | null;

  @deviceText('Browser; default: from userAgent', 'Mobile Safari')
  browser?: string | null;

  @deviceText('Browser version', '26.0')
  browserVersion?: string | null;

  @deviceText('Mobile, Tablet or Desktop; default: from userAgent', 'Mobile')
  deviceType?: string | null;

  @deviceText('Device model', 'iPhone18,1')
  deviceModel?: string | null;

  @deviceText('Language', 'ko-KR')
  language?: string | null;

  @ScreenSize({ max: 200, description: 'Screen size' })
  screenResolution?: string | null;

  @deviceText('User agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)')
  userAgent?: string | null;

  @deviceText('App version', '4.2.0')
  appVersion?: string | null;

  @deviceText('SDK version', '1.13.0')
  sdkVersion?: string | null;
}
