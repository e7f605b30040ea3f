import { Injectable } from '@nestjs/common';
import { hasRole } from '../../access/administration';
import type { Caller } from '../../access/caller';
import { covers } from '../../access/scopes';
import { ORIGINS } from '../contacts/contact';
import { activityKeys, contactProperty, CUSTOM, PROPERTY_FIELDS } from '../contacts/list/contact-properties';
import { KnownPropertiesQuery } from '../contacts/list/known-properties.query';
import { type SegmentPropertyResponse, TYPE_OF } from './segment-builder.dto';
import { COMPARABLE, operatorsOf } from './segment-condition-check';

/** Properties that conditions of an organization can use (docs/concepts/segments.md#building-a-segment). */
@Injectable()
export class SegmentProperties {
  constructor(private readonly known: KnownPropertiesQuery) {}

  /** Contact fields, then custom fields, then activity. Callers who may not read contacts get no values of them. */
  async list(caller: Caller): Promise<SegmentPropertyResponse[]> {
    const { customFields, metrics, values } = await this.known.run(caller.organizationId);
    const mayReadContacts = hasRole(caller, 'EDITOR') && covers(caller.scopes, 'contacts:read');
    const keys = [
      ...PROPERTY_FIELDS,
      ...customFields.map((field) => `${CUSTOM}${field}`),
      ...metrics.flatMap(activityKeys),
    ];
    return keys.flatMap((key) => {
      const property = contactProperty(key);
      if (!property) return [];
      const known = key === 'origin' ? ORIGINS : (mayReadContacts && values.get(key)) || null;
      return {
        key,
        type: TYPE_OF[property.kind],
        operators: [...operatorsOf(property)],
        comparableTypes: (COMPARABLE[property.kind] ?? []).map((kind) => TYPE_OF[kind]),
        values: known && [...known],
      };
    });
  }
}
