import { ListedSession_stages } from '../../api/values.gen';
import type { Translate } from '../../texts/texts';
import type { journeyTexts } from './texts';

type JourneyText = NonNullable<(typeof journeyTexts)['key']>;

/** @param shown the API's name, for a stage that the console does not know */
export function stageName(code: string, shown: string, t: Translate<JourneyText>): string {
  const known = ListedSession_stages.find((stage) => stage === code);
  return known ? t(known) : shown;
}
