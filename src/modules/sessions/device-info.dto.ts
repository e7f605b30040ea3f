import { CutText } from '../../common/validation/atoms';
import { ScreenSize } from '../../common/validation/lenient';
import { MAX_DEVICE_TEXT } from './session';

const told = (description: string, example: string) =>
  CutText({ max: MAX_DEVICE_TEXT, description, example, optional: true });

/** What a client tells of the device that it runs on: docs/web-sdk.md#device-information. */
export class DeviceInfoRequest {
  @told('What it runs on', 'IOS')
  platform?: string | null;

  @told('System. Without it, what userAgent says', 'iOS')
  os?: string | null;

  @told('Version of the system', '26.1')
  osVersion?: string | null;

  @told('Browser. Without it, what userAgent says', 'Mobile Safari')
  browser?: string | null;

  @told('Version of the browser', '26.0')
  browserVersion?: string | null;

  @told('Mobile, Tablet or Desktop. Without it, what userAgent says', 'Mobile')
  deviceType?: string | null;

  @told('Model', 'iPhone18,1')
  deviceModel?: string | null;

  @told('Language', 'ko-KR')
  language?: string | null;

  @ScreenSize({ max: 200, description: 'Size of the screen' })
  screenResolution?: string | null;

  @told('User agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)')
  userAgent?: string | null;

  @told('Version of the app', '4.2.0')
  appVersion?: string | null;

  @told('Version of the SDK', '1.14.0')
  sdkVersion?: string | null;
}
