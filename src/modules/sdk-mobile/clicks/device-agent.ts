import type { Platform } from '../../apps/app.entity';
import type { ReportedAgent } from '../../clicks/click';
import { agentOf, UNKNOWN } from '../../clicks/visitor-facts';
import type { DeviceInfoRequest } from '../../sessions/device-info.dto';
import { cutDevice, readableAgent } from '../../sessions/stored-device';

/**
 * The device of a click recorded by an app: the app's own report, or else a browser's user agent, or else the app's
 * platform. User agents of HTTP libraries are ignored.
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

/** The system by the name that the user-agent parser uses, so that statistics have one name per system. */
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
