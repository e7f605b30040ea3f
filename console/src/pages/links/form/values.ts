import type { Schemas } from '../../../api/client';
import type { ApiForm } from '../../../kit/form';
import { ownUtm } from './destination-utm';
import { codeOf, type Link } from '../link';
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
} from './shared-values';

/** Form values, named as in `CreateLinkRequest`, so that the API's errors are shown at their fields. */
export interface LinkValues extends SharedValues {
  url: string;
  customAlias: string;
  expirationDate: string;
}

export interface FieldsProps {
  of: ApiForm<LinkValues>;
  /** The link that is edited. */
  link?: Link;
}

export const NEW_LINK: LinkValues = {
  ...sharedValuesOf(null),
  url: '',
  customAlias: '',
  expirationDate: '',
};

export function valuesOf(link: Link): LinkValues {
  return {
    ...NEW_LINK,
    ...sharedValuesOf(link),
    url: link.originalUrl,
    customAlias: codeOf(link),
    expirationDate: localOf(link.expiresAt),
  };
}

/** Values of a new link copied from another, except alias, external id and password. */
export function copyOf(link: Link, customDomainId: string): LinkValues {
  return { ...valuesOf(link), customAlias: '', externalId: '', customDomainId };
}

export function creationOf(values: LinkValues): Schemas['CreateLinkRequest'] {
  const { url, ...fields } = fieldsOf(values);
  return { ...fields, url, customDomainId: idOf(values.customDomainId), password: values.password || null };
}

export function changeOf(before: LinkValues, values: LinkValues): Schemas['UpdateLinkRequest'] {
  const { url, ...rest } = changedFields(fieldsOf(before), fieldsOf(values));
  return {
    ...rest,
    ...(url !== undefined && { originalUrl: url }),
    ...changedPassword(values),
    ...(rest.customAlias !== undefined && values.releaseOld && { releaseOld: true }),
  };
}

function fieldsOf(values: LinkValues) {
  return {
    ...sharedFieldsOf(values),
    ...ownUtm(values, values.url),
    url: values.url.trim(),
    customAlias: textOf(values.customAlias),
    expirationDate: instantOf(values.expirationDate),
  };
}
