import { cut } from '../../../common/sanitize-text';
import { textProblem } from '../../../common/validation/atom';

/** utm values of a link or campaign, named as in entities and the API. */
export interface Utm {
  utmSource: string | null;
  utmMedium: string | null;
  utmTerm: string | null;
  utmContent: string | null;
  utmCampaign: string | null;
}

const PARAMETERS = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
  utmCampaign: 'utm_campaign',
} as const satisfies Record<keyof Utm, string>;

export const UTM_FIELDS = Object.keys(PARAMETERS) as (keyof Utm)[];
export const UTM_MAX = 200;

/** The utm values in a URL's query, truncated to the length of the fields; null if absent. */
export function utmOf(url: string): Utm {
  const query = new URL(url).searchParams;
  const read = (field: keyof Utm): string | null => {
    const value = query.get(PARAMETERS[field]);
    if (!value || textProblem(value) !== null) return null;
    return cut(value, UTM_MAX);
  };
  return {
    utmSource: read('utmSource'),
    utmMedium: read('utmMedium'),
    utmTerm: read('utmTerm'),
    utmContent: read('utmContent'),
    utmCampaign: read('utmCampaign'),
  };
}
