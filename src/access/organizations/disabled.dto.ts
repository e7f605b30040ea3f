import { ApiProperty } from '@nestjs/swagger';
import { PathId, Text } from '../../common/validation/atoms';
import { OrganizationPath } from './organizations.dto';

export class DisabledPath extends OrganizationPath {
  @PathId({ description: 'Id of the resource to disable or enable' })
  id!: number;
}

export class DisableRequest {
  @Text({
    max: 500,
    description: 'Reason, stored in the audit log and visible to the organization',
    example: 'Phishing, reported on 2026-11-20',
  })
  reason!: string;
}

export class DisabledResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id', example: 42 })
  id!: number;

  @ApiProperty({ description: 'Reason for disabling it', example: 'Phishing, reported on 2026-11-20' })
  disabledReason!: string;
}
