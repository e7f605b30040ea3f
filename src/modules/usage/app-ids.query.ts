import { Injectable } from '@nestjs/common';
import { Database } from '../../infrastructure/database/database';

/** Ids of all apps of an organization, including deleted ones, and 0, which stands for no app in sums. */
@Injectable()
export class AppIdsQuery {
  constructor(private readonly database: Database) {}

  async run(organizationId: number): Promise<number[]> {
    const rows = await this.database.read<{ id: number }>(
      'SELECT id FROM apps WHERE organization_id = $1 ORDER BY id',
      [organizationId],
    );
    return [0, ...rows.map(({ id }) => id)];
  }
}
