import type { Html } from '../../pages/html';
import {
  pictureAddress,
  type DisplayAddress,
  displayAddress,
  displayText,
} from '../../../common/display-text';
import type { TrackedLink } from '../tracked-link';

/** Seconds for which the ad page is shown (docs/concepts/redirects.md#decision-order). */
const AD_SECONDS = 5;

type Described = Pick<TrackedLink, 'title' | 'ogTitle' | 'ogDescription' | 'ogImageUrl'>;

/**
 * The page for crawlers that show previews. It names itself as the address of what it describes: crawlers read the
 * page that `og:url` names, and would find the destination's own tags. There is no refresh in it, as several crawlers
 * follow one, and some give up at it; a person who is taken for a crawler is sent on by a script.
 * @param address of the link, as it was asked for
 * @returns null when the destination is no address of the web
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

/** The page that shows where a link leads, and goes there after a while. @returns null as `previewPage` */
export function adPage(trackedLink: Described, location: string): Html | null {
  const destination: DisplayAddress | null = displayAddress(location);
  if (!destination) return null;
  const title = displayText(trackedLink.title) ?? displayText(trackedLink.ogTitle);
  const image = pictureAddress(trackedLink.ogImageUrl);
  const data = { destination, title, image, seconds: AD_SECONDS };
  return { status: 200, template: 'redirect/pages/ad', data, script: true, images: [image] };
}
