import { ValidationFailed } from '../../../common/errors/errors';
import { ALL_OF_KIND } from '../../sessions/funnel';
import type { SessionSubject } from '../../sessions/statistics/session-subject';
import { platformOfWord, RESOURCE_KINDS } from '../analytics.atoms';
import type { ConversionsQuery } from './conversions.dto';

/** The subset of sessions that a query selects. @throws ValidationFailed if its parameters contradict each other */
export function conversionSubject(query: ConversionsQuery): Partial<SessionSubject> {
  const { sessionType, resourceType, resourceId } = query;
  if (resourceType && !resourceId)
    throw ValidationFailed.field('resourceId', 'is required with resourceType');
  if (resourceId && !resourceType)
    throw ValidationFailed.field('resourceType', 'is required with resourceId');
  const subject = { platform: platformOfWord(query.platform) };
  if (resourceType && resourceId) {
    if (sessionType !== 'all' && sessionType !== resourceType) {
      throw ValidationFailed.field('sessionType', 'must be all, or the resourceType');
    }
    return { ...subject, kind: RESOURCE_KINDS[resourceType] ?? 'link', ids: [resourceId] };
  }
  if (sessionType === 'all') return subject;
  return { ...subject, kind: RESOURCE_KINDS[sessionType] ?? 'app', ids: [ALL_OF_KIND] };
}
