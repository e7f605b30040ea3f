import { Text } from '../../common/validation/atoms';

const told = (description: string, example: string) =>
  Text({ max: 200, description, example, optional: true });

/** What a client tells of the device that it runs on (4-decisions §8). */
export class DeviceInfoRequest {
  @told('What it runs on', 'IOS')
  platform?: string | null;

  @told('System', 'iOS')
  os?: string | null;

  @told('Version of the system', '26.1')
  osVersion?: string | null;

  @told('Browser', 'Mobile Safari')
  browser?: string | null;

  @told('Version of the browser', '26.0')
  browserVersion?: string | null;

  @told('Mobile, Tablet or Desktop', 'Mobile')
  deviceType?: string | null;

  @told('Model', 'iPhone18,1')
  deviceModel?: string | null;

  @told('Language', 'ko-KR')
  language?: string | null;

  @told('Size of the screen', '1206x2622')
  screenResolution?: string | null;

  @told('User agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)')
  userAgent?: string | null;

  @told('Version of the app', '4.2.0')
  appVersion?: string | null;

  @told('Version of the SDK', '1.13.0')
  sdkVersion?: string | null;
}
