import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../../../common/time/clock';
import { ActivationProbe } from './activation-probe';
import { CustomDomain } from '../custom-domain.entity';
import type { DomainCheck } from './domain-check';
import { DOMAIN_CHECK, DomainStates } from './domain-states';
import { afterCheck } from './domain-transitions';
import { type RecordState, VerificationRecords } from './verification-records';
import { Database } from '../../../infrastructure/database/database';
import { lockOrganization, lockOrganizations } from '../../../infrastructure/database/organization-lock';

const CHECKED = `deleted_at IS NULL AND verification_token IS NOT NULL AND status IN ('PENDING', 'VERIFIED', 'ACTIVE')`;

const VERBS: Readonly<Record<string, string>> = { VERIFIED: 'verify', FAILED: 'fail', REVOKED: 'revoke' };

/**
 * Checks a domain's CNAME in DNS and, once it is verified, whether the domain reaches this service
 * (docs/concepts/domains.md#verification).
 */
@Injectable()
export class DomainChecks {
  constructor(
    private readonly database: Database,
    private readonly records: VerificationRecords,
    private readonly probe: ActivationProbe,
    private readonly states: DomainStates,
    private readonly clock: Clock,
  ) {}

  /** Checks a domain now, regardless of its last check. */
  async checkNow(id: number): Promise<void> {
    const [domain] = await this.begin('id = $1', id, 1);
    if (domain) await this.check(domain);
  }

  /**
   * Claims domains without a check since `before`, those with the oldest check first. Claiming updates the row, so that
   * no other process takes it.
   */
  takeDue(before: Date, limit: number): Promise<CustomDomain[]> {
    return this.begin('(last_checked_at IS NULL OR last_checked_at < $1)', before, limit);
  }

  /** @param domain as of the start of the check */
  async check(domain: CustomDomain): Promise<RecordState> {
    const record = this.records.of(domain);
    if (!record) return 'MISSING';
    const { state, problem, found } = await this.records.lookUp(record);
    const lastCheck = {
      checkedAt: (domain.lastCheckedAt ?? this.clock.date()).toISOString(),
      problem,
      found,
    };
    if (state === 'UNKNOWN') {
      await this.change(domain, () => ({ verb: 'check', fields: { lastCheck } }));
      return state;
    }
    const now = await this.change(domain, (current) => {
      const fields = { ...afterCheck(current, state === 'FOUND', this.clock.date()), lastCheck };
      return { verb: VERBS[fields.status ?? ''] ?? 'check', fields };
    });
    if (now?.status === 'VERIFIED') await this.checkTraffic(now, lastCheck);
    return state;
  }

  /** Activates a verified domain whose traffic reaches this service. */
  private async checkTraffic(domain: CustomDomain, verified: DomainCheck): Promise<void> {
    const [leadsHere, traffic] = await Promise.all([
      this.probe.leadsHere(domain),
      this.records.traffic(domain.domainName),
    ]);
    const found = [...verified.found, ...traffic];
    const lastCheck: DomainCheck = { ...verified, problem: leadsHere ? null : 'NOT_REACHED', found };
    await this.change(domain, ({ status }) =>
      leadsHere && status === 'VERIFIED'
        ? { verb: 'activate', fields: { status: 'ACTIVE', lastCheck } }
        : { verb: 'check', fields: { lastCheck } },
    );
  }

  /** @param which condition with the parameter $1 */
  private begin(which: string, parameter: unknown, limit: number): Promise<CustomDomain[]> {
    return this.database.write(async (tx) => {
      const due = await tx.query<{ id: number; organizationId: number }>(
        `SELECT id, organization_id AS "organizationId" FROM custom_domains
          WHERE ${CHECKED} AND ${which} ORDER BY last_checked_at NULLS FIRST, id LIMIT $2`,
        [parameter, limit],
      );
      const organizations = due.map(({ organizationId }) => organizationId);
      await lockOrganizations(tx, 'custom_domains', organizations);
      // The conditions are checked again, because another process may have started a check while this one waited for
      // the lock.
      const rows = await tx.query<{ id: number }>(
        `UPDATE custom_domains SET last_checked_at = $2
          WHERE id = ANY ($3::bigint[]) AND ${CHECKED} AND ${which} RETURNING id`,
        [parameter, this.clock.date(), due.map(({ id }) => id)],
      );
      const ids = rows.map(({ id }) => id);
      return ids.length === 0 ? [] : tx.repository(CustomDomain).findBy({ id: In(ids) });
    });
  }

  /** Changes the current row, unless it has been deleted or a later check has started. */
  private change(
    { id, organizationId, lastCheckedAt }: CustomDomain,
    changeOf: (domain: CustomDomain) => { verb: string; fields: Partial<CustomDomain> },
  ): Promise<CustomDomain | null> {
    return this.database.write(async (tx) => {
      await lockOrganization(tx, 'custom_domains', organizationId);
      const domain = await tx.repository(CustomDomain).findOneBy({ id, organizationId });
      if (!domain || domain.deletedAt || domain.lastCheckedAt?.getTime() !== lastCheckedAt?.getTime()) {
        return null;
      }
      const { verb, fields } = changeOf(domain);
      await this.states.change(tx, DOMAIN_CHECK, domain, verb, fields);
      return domain;
    });
  }
}
