import { Field } from '../../../common/http/api-field';
import { Alias, PathId } from '../../../common/validation/atoms';

const optional = true;

export class AliasQuery {
  @Alias({ description: 'Alias that a new or an existing one is to have', example: 'spring-sale' })
  alias!: string;

  @PathId({
    description:
      'Custom domain of a new one (else DOMAIN_NOT_USABLE), the default domain when omitted; an existing one keeps its own',
    example: 1,
    optional,
  })
  customDomainId?: number;
}

export class LinkAliasQuery extends AliasQuery {
  @PathId({
    description:
      'Link that is to have the alias, on its own domain: its alias and its former aliases are available to it. A new ' +
      'link when omitted',
    example: 42,
    optional,
  })
  linkId?: number;
}

export class CampaignAliasQuery extends AliasQuery {
  @PathId({
    description:
      'Campaign that is to have the alias, on its own domain: its alias and its former aliases are available to it. A ' +
      'new campaign when omitted',
    example: 7,
    optional,
  })
  campaignId?: number;
}

const ALIAS_REFUSALS = ['RESERVED_ALIAS', 'ALIAS_TAKEN'] as const;

export class AliasAvailabilityResponse {
  @Field('The alias as it would be stored', 'spring-sale')
  alias!: string;

  @Field('Whether a creation, or a change, can have it', false)
  available!: boolean;

  @Field('Code of the error that a creation or change would get; null when it is available', 'ALIAS_TAKEN', {
    enum: [...ALIAS_REFUSALS, null],
    type: String,
    nullable: true,
  })
  reason!: string | null;
}
