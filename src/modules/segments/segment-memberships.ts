import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Contact } from '../contacts/contact';
import { PersonalData, type PersonalDataSource } from '../contacts/personal-data/personal-data';
import { Database, type Tx } from '../../infrastructure/database/database';
import { ContactSegments, type SegmentMembers } from '../contacts/list/contact-segments';
import { SegmentRow } from './segment.entities';

const OF_PERSON = `
  organization_id = $1 AND contact_id = $2
  AND segment_id IN (SELECT id FROM segments WHERE organization_id = $1)`;

/**
 * Segments of a person, for the export and erasure of their data, and members of a segment, for the list of contacts.
 */
@Injectable()
export class SegmentMemberships implements PersonalDataSource, SegmentMembers, OnModuleInit {
  readonly name = 'segments';

  constructor(
    private readonly persons: PersonalData,
    private readonly contacts: ContactSegments,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.persons.register(this);
    this.contacts.register(this);
  }

  exists(organizationId: number, id: number): Promise<boolean> {
    return this.database.repository(SegmentRow).existsBy({ organizationId, id });
  }

  memberIds(organization: string, segment: string): string {
    return `SELECT contact_id FROM segment_members WHERE organization_id = ${organization} AND segment_id = ${segment}`;
  }

  find({ organizationId, id }: Contact): Promise<object[]> {
    return this.database.read<object>(
      `SELECT s.id, s.name FROM segments AS s
         JOIN segment_members AS m ON m.organization_id = s.organization_id AND m.segment_id = s.id
        WHERE s.organization_id = $1 AND m.contact_id = $2 ORDER BY s.name, s.id`,
      [organizationId, id],
    );
  }

  async forget(tx: Tx, { organizationId, id }: Contact): Promise<void> {
    await tx.execute(`DELETE FROM segment_members WHERE ${OF_PERSON}`, [organizationId, id]);
  }
}
