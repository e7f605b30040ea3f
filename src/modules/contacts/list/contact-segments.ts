import { Injectable } from '@nestjs/common';

/** Port to the members of segments. */
export interface SegmentMembers {
  exists(organizationId: number, segmentId: number): Promise<boolean>;
  /** SQL for the ids of a segment's members. @param organization, segment placeholders */
  memberIds(organization: string, segment: string): string;
}

/** The segments by which contacts are listed. The segments module, which this one must not import, registers here. */
@Injectable()
export class ContactSegments {
  private members: SegmentMembers | null = null;

  register(members: SegmentMembers): void {
    this.members = members;
  }

  get registered(): SegmentMembers {
    if (!this.members) throw new Error('No module has registered segments');
    return this.members;
  }
}
