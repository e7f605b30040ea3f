import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { TrackedLinkKind } from '../clicks/click';
import type { TrackedLinkEntity } from './tracked-link.entity';

/**
 * Changes for the audit log: whether there is a password, but not its hash, and neither the keys of tags nor folded
 * names.
 */
export function auditedChanges(recorded: AuditChanges): AuditChanges {
  const { passwordHash, tagKeys: _, foldedName: __, ...changes } = recorded;
  if (!passwordHash) return changes;
  const stated = (hash: unknown) => (hash === null ? null : 'set');
  return { ...changes, password: { from: stated(passwordHash.from), to: stated(passwordHash.to) } };
}

export function auditedCreation(
  kind: TrackedLinkKind,
  { code, originalUrl, name }: Pick<TrackedLinkEntity, 'code' | 'originalUrl'> & { name?: unknown },
): object {
  return kind === 'link' ? { code, originalUrl } : { name, alias: code, originalUrl };
}
