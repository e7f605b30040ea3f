import { PathId } from '../common/validation/atoms';

export class OrganizationPath {
  @PathId({ description: 'Id of the organization' })
  organizationId!: number;
}
