import { Field } from '../../../common/http/api-field';
import { OneOf, Text } from '../../../common/validation/atoms';
import { MemberId } from '../../../common/validation/member-id';
import { word } from '../deep-link.dto';

const ASSOCIATION_TYPES = ['url', 'campaign'] as const;
export type AssociationType = (typeof ASSOCIATION_TYPES)[number];

export class AssociationPath {
  @word('Short code, or alias of the campaign', 'spring-sale')
  shortCode!: string;
}

export class AppAssociationPath extends AssociationPath {
  @word('URL namespace of the app, its `path`; NOT_FOUND for any other', 'k3v9qx')
  appPath!: string;
}

export class AssociationQuery {
  @OneOf(ASSOCIATION_TYPES, {
    description: 'Whether the path names a link or a campaign',
    example: 'url',
    default: 'url',
  })
  type: AssociationType = 'url';
}

export class AssociateRequest {
  @Text({ max: 200, description: 'Index of the push token', example: '17' })
  tokenidx!: string;

  @MemberId({ description: 'Identifier of the user' })
  identify!: string;
}

export class AssociationResponse {
  @Field('true', true)
  success!: true;

  @Field('Whether the path names a link or a campaign', 'url', { enum: ASSOCIATION_TYPES })
  type!: AssociationType;

  @Field('Short code, or alias of the campaign', 'aZ3kQ9x')
  shortCode!: string;

  @Field('Index of the push token', '17')
  tokenidx!: string;

  @Field('Identifier of the user', 'member-1001')
  identify!: string;
}
