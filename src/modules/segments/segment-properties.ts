import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { suffices } from '../../access/roles';
import { ORIGINS } from '../contacts/contact';
import { activityKeys, contactProperty, CUSTOM, PROPERTY_FIELDS } from '../contacts/list/contact-properties';
import { KnownPropertiesQuery } from '../contacts/list/known-properties.query';
import type { SegmentProperty } from './segment-builder.dto';
import { COMPARABLE, operatorsOf } from './segment-condition-check';

/** Properties that conditions of an organization can use (docs/concepts/segments.md#building-a-segment). */
@Injectable()
export class SegmentProperties {
  constructor(private readonly known: KnownPropertiesQuery) {}

  /** Contact fields, then custom fields, then activity. Callers below EDITOR get no values of contacts. */
  async list({ organizationId, role }: Caller): Promise<SegmentProperty[]> {
    const { customFields, metrics, values } = await this.known.run(organizationId);
    const mayReadContacts = role !== null && suffices(role, 'EDITOR');
    const keys = [
      ...PROPERTY_FIELDS,
      ...customFields.map((field) => `${CUSTOM}${field}`),
      ...metrics.flatMap(activityKeys),
    ];
    return keys.flatMap((key) => {
      const property = contactProperty(key);
      if (!property) return [];
      return {
        key,
        kind: property.kind,
        operators: operatorsOf(property),
        comparable: COMPARABLE[property.kind] ?? [],
        values: key === 'origin' ? ORIGINS : (mayReadContacts && values.get(key)) || null,
      };
    });
  }
}
