import type { TargetEntity } from '../tracked-link.entity';

/** Open Graph fields, by their bit in `ogAuto`: set while the destination's page fills the field, not the owner. */
const BITS = { ogTitle: 1, ogDescription: 2, ogImageUrl: 4 } as const;
type OgField = keyof typeof BITS;
const FIELDS = Object.keys(BITS) as OgField[];

/** `ogAuto` of a new link or campaign: the fields that were not given. */
export function ogAutoOfNew(request: Partial<Record<OgField, string | null>>): number {
  return FIELDS.reduce((auto, field) => (request[field] ? auto : auto | BITS[field]), 0);
}

/** What an update changes of fields that the destination's page fills. */
export interface OgChange {
  fields: Partial<TargetEntity>;
  /** Whether the new destination is to be asked. */
  isDue: boolean;
}

/**
 * A field that the owner sets or clears is the owner's from then on. The others belong to the destination: with a new
 * one they are empty until its page has been read.
 */
export function ogOfChange(target: TargetEntity, supplied: Partial<TargetEntity>): OgChange {
  const taken = FIELDS.filter((field) => supplied[field] !== undefined);
  const ogAuto = taken.reduce((auto, field) => auto & ~BITS[field], target.ogAuto);
  const moved = supplied.originalUrl !== undefined && supplied.originalUrl !== target.originalUrl;
  const emptied = moved ? FIELDS.filter((field) => ogAuto & BITS[field]) : [];
  return {
    fields: {
      ...(ogAuto !== target.ogAuto && { ogAuto }),
      ...Object.fromEntries(emptied.map((field) => [field, null])),
    },
    isDue: emptied.length > 0,
  };
}

/** The columns of a described page, each only where it is still the page's to fill; parameters from `first` on. */
export function ogAssignments(first: number): string {
  return FIELDS.map((field, i) => {
    const column = COLUMNS[field];
    return `${column} = CASE WHEN og_auto & ${BITS[field]} <> 0 THEN $${first + i} ELSE ${column} END`;
  }).join(', ');
}

const COLUMNS: Record<OgField, string> = {
  ogTitle: 'og_title',
  ogDescription: 'og_description',
  ogImageUrl: 'og_image_url',
};
