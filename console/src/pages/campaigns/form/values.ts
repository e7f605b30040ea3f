import type { Schemas } from '../../../api/client';
import { ownUtm } from '../../links/form/destination-utm';
import {
  changedFields,
  changedPassword,
  idOf,
  instantOf,
  localOf,
  sharedFieldsOf,
  type SharedValues,
  sharedValuesOf,
  textOf,
} from '../../links/form/shared-values';
import type { Campaign } from '../campaign';

/** Form values, named as in `CreateCampaignRequest`, so that the API's errors are shown at their fields. */
export interface CampaignValues extends SharedValues {
  name: string;
  originalUrl: string;
  alias: string;
  expiresAt: string;
}

/** @param campaign null for a new one */
export function valuesOf(campaign: Campaign | null): CampaignValues {
  return {
    ...sharedValuesOf(campaign),
    name: campaign?.name ?? '',
    originalUrl: campaign?.originalUrl ?? '',
    alias: campaign?.alias ?? '',
    expiresAt: localOf(campaign?.expiresAt),
  };
}

export function creationOf(values: CampaignValues): Schemas['CreateCampaignRequest'] {
  return {
    ...fieldsOf(values),
    customDomainId: idOf(values.customDomainId),
    password: values.password || null,
  };
}

export function changeOf(before: CampaignValues, values: CampaignValues): Schemas['UpdateCampaignRequest'] {
  const changed = changedFields(fieldsOf(before), fieldsOf(values));
  return {
    ...changed,
    ...changedPassword(values),
    ...(changed.alias !== undefined && values.releaseOld && { releaseOld: true }),
  };
}

function fieldsOf(values: CampaignValues) {
  return {
    ...sharedFieldsOf(values),
    ...ownUtm(values, values.originalUrl),
    name: values.name.trim(),
    originalUrl: values.originalUrl.trim(),
    alias: textOf(values.alias),
    expiresAt: instantOf(values.expiresAt),
  };
}
