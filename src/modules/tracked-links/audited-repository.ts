import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { TrackedLinkEntity } from './tracked-link.entity';
import type { NewTrackedLink, TrackedLinksRepository } from './tracked-links.repository';

/** All codes that lead to a link or campaign. */
export type PublishedCodes = Pick<TrackedLinkEntity, 'domainId' | 'code' | 'formerCodes'>;

/** The repository of one kind, with what the audit log records. */
export interface AuditedRepository<T extends TrackedLinkEntity> {
  repository: TrackedLinksRepository<T>;
  /** Removes secrets from audited changes. Default: nothing is removed. */
  auditedChanges?(changes: AuditChanges): AuditChanges;
  /** Audited fields of a new one. Default: code and destination. */
  auditedFields?(trackedLink: NewTrackedLink<T>): object;
}
