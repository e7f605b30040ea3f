import type { Platform } from '../../apps/app.entity';
import type { ReportedAgent } from '../../clicks/click';
import { agentOf, UNKNOWN } from '../../clicks/visitor-facts';
import type { DeviceInfoRequest } from '../../sessions/device-info.dto';
import { cutDevice, readableAgent } from '../../sessions/stored-device';

/**
 * The device that a click recorded by an app counts under: the app's own report, then a browser's user agent, then the
 * app's platform. The user agent of an HTTP library tells nothing.
 */
export function deviceAgentOf(
  device: DeviceInfoRequest,
  userAgent: string,
  platform: Platform,
): { userAgent: string; reportedAgent: ReportedAgent } {
  const text = readableAgent(device.userAgent || userAgent);
  const said = cutDevice(device);
  const read = agentOf(text);
  const fallback = !read.isBot && read.os !== UNKNOWN ? read : MADE_FOR[platform];
  return {
    userAgent: text,
    reportedAgent: [
      said.browser || fallback.browser,
      systemOf(said.os || said.platform) ?? fallback.os,
      typeOf(said.deviceType) ?? fallback.deviceType,
    ],
  };
}

const onPhone = (os: string) => ({ browser: UNKNOWN, os, deviceType: 'Mobile' });
const MADE_FOR = {
  iOS: onPhone('iOS'),
  Android: onPhone('Android'),
  Web: { browser: UNKNOWN, os: UNKNOWN, deviceType: UNKNOWN },
};

/** Named as the user-agent parser names it, so that each system has one name. */
function systemOf(text: string | null | undefined): string | null {
  if (/^i(?:pad)?os\b/i.test(text ?? '')) return 'iOS';
  if (/^android\b/i.test(text ?? '')) return 'Android';
  return !text || /^web$/i.test(text) ? null : text;
}

/** One of the three device types of statistics (docs/concepts/counting.md#devices). */
function typeOf(text: string | null | undefined): string | null {
  if (/tablet|pad/i.test(text ?? '')) return 'Tablet';
  if (/mobile|phone/i.test(text ?? '')) return 'Mobile';
  return /desktop/i.test(text ?? '') ? 'Desktop' : null;
}
