import { ValidationFailed } from '../../../common/errors/errors';
import { ALL_OF_KIND } from '../../sessions/funnel';
import { type SessionSubject, wholeApp } from '../../sessions/statistics/session-subject';
import { platformOfWord, RESOURCE_KINDS } from '../analytics.atoms';
import type { ConversionsQuery } from './conversions.dto';

/** The sessions that a query selects. @throws ValidationFailed when its parameters contradict each other */
export function conversionSubject(organizationId: number, query: ConversionsQuery): SessionSubject {
  const { appId, sessionType, resourceType, resourceId } = query;
  if (resourceType && !resourceId)
    throw ValidationFailed.field('resourceId', 'is required with resourceType');
  if (resourceId && !resourceType)
    throw ValidationFailed.field('resourceType', 'is required with resourceId');
  const subject = { ...wholeApp({ organizationId, appId }), platform: platformOfWord(query.platform) };
  if (resourceType && resourceId) {
    if (sessionType !== 'all' && sessionType !== resourceType) {
      throw ValidationFailed.field('sessionType', 'must be all, or the resourceType');
    }
    return { ...subject, kind: RESOURCE_KINDS[resourceType] ?? 'link', id: resourceId };
  }
  if (sessionType === 'all') return subject;
  return { ...subject, kind: RESOURCE_KINDS[sessionType] ?? 'app', id: ALL_OF_KIND };
}
