import { INT64, Field } from '../../common/http/api-field';
import { PathId, Text } from '../../common/validation/atoms';
import { OrganizationPath } from '../organization-path.dto';

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
  @Field('Id', 42, INT64)
  id!: number;

  @Field('Reason for disabling it', 'Phishing, reported on 2026-11-20')
  disabledReason!: string;
}
