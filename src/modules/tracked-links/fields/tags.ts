import type { AtomOptions } from '../../../common/validation/atom';
import { TextList } from '../../../common/validation/lists';
import { NONE, OTHER } from '../../click-statistics/breakdowns/breakdowns';
import type { TrackedLinkEntity } from '../tracked-link.entity';

export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 50;

export function Tags(options: AtomOptions): PropertyDecorator {
  const reserved = [NONE, OTHER];
  return TextList({ max: MAX_TAGS, length: MAX_TAG_LENGTH, identifiers: true, reserved, ...options });
}

/** Of tags that differ in letter case only, the first is stored. */
export function tagsOf(tags: readonly string[]): Pick<TrackedLinkEntity, 'tags' | 'tagKeys'> {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag.trim());
  return { tags: [...byKey.values()], tagKeys: [...byKey.keys()] };
}

/** The form in which tags are compared. */
export function tagKey(tag: string): string {
  return tag.trim().toLowerCase();
}
