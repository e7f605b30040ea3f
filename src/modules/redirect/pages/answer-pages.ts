import type { Html } from '../../pages/html';
import {
  pictureAddress,
  type DisplayAddress,
  displayAddress,
  displayText,
} from '../../../common/display-text';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

/** Seconds until the ad page redirects (docs/concepts/redirects.md#decision-order). */
const AD_SECONDS = 5;

type Described = Pick<CachedTrackedLink, 'title' | 'ogTitle' | 'ogDescription' | 'ogImageUrl'>;

/**
 * The page for preview crawlers. Its `og:url` is the link itself, because crawlers fetch that URL and would otherwise
 * use the tags of the destination. A meta refresh would be followed by some crawlers and rejected by others, so a
 * script redirects people who are mistaken for a crawler.
 * @param address the requested URL of the link
 * @returns null if the destination is not a web URL
 */
export function previewPage(trackedLink: Described, address: string, location: string): Html | null {
  const destination = displayAddress(location);
  if (!destination) return null;
  const data = {
    address,
    destination,
    title: displayText(trackedLink.ogTitle) ?? displayText(trackedLink.title) ?? destination.host,
    description: displayText(trackedLink.ogDescription, 500),
    image: pictureAddress(trackedLink.ogImageUrl),
  };
  return { status: 200, template: 'redirect/pages/preview', data, script: true };
}

/** The page that shows the destination and redirects after AD_SECONDS. @returns null if it is not a web URL */
export function adPage(trackedLink: Described, location: string): Html | null {
  const destination: DisplayAddress | null = displayAddress(location);
  if (!destination) return null;
  const title = displayText(trackedLink.title) ?? displayText(trackedLink.ogTitle);
  const image = pictureAddress(trackedLink.ogImageUrl);
  const data = { destination, title, image, seconds: AD_SECONDS };
  return { status: 200, template: 'redirect/pages/ad', data, script: true, images: [image] };
}
