import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Text } from '../../common/validation/atoms';

const ASSOCIATION_TYPES = ['url', 'campaign'] as const;
export type AssociationType = (typeof ASSOCIATION_TYPES)[number];

export class AssociationPath {
  @Text({ max: 1000, description: 'Short code, or alias of the campaign', example: 'aZ3kQ9x' })
  shortCode!: string;
}

export class AppAssociationPath extends AssociationPath {
  @Text({ max: 1000, description: 'URL namespace of the app', example: 'k3v9qx' })
  appPath!: string;
}

export class AssociationQuery {
  @OneOf(ASSOCIATION_TYPES, { description: 'What the path names', example: 'url', default: 'url' })
  type: AssociationType = 'url';
}

export class AssociateRequest {
  @Text({ max: 200, description: 'Index of the push token', example: '17' })
  tokenidx!: string;

  @Text({ max: 200, description: 'Identifier of the user', example: 'member-1001' })
  identify!: string;
}

export class AssociationResponse {
  @ApiProperty({ description: 'true', example: true })
  success!: true;

  @ApiProperty({ enum: ASSOCIATION_TYPES, description: 'What the path names', example: 'url' })
  type!: AssociationType;

  @ApiProperty({ description: 'Short code, or alias of the campaign', example: 'aZ3kQ9x' })
  shortCode!: string;

  @ApiProperty({ description: 'Index of the push token', example: '17' })
  tokenidx!: string;

  @ApiProperty({ description: 'Identifier of the user', example: 'member-1001' })
  identify!: string;
}
