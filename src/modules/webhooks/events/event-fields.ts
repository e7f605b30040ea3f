import { TEXT_OR_NULL, INT64_OR_NULL, INT64, DATE_TIME, Field } from '../../../common/http/api-field';

export const id = (description: string, example: number) => Field(description, example, INT64);
export const optionalId = (description: string, example: number | null) =>
  Field(description, example, INT64_OR_NULL);
export const text = (description: string, example: string) => Field(description, example);
export const optionalText = (description: string, example: string | null) =>
  Field(description, example, TEXT_OR_NULL);
export const time = (description: string) => Field(description, '2026-11-20T08:32:00Z', DATE_TIME);
