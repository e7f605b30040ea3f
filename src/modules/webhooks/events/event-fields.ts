import { ApiProperty } from '@nestjs/swagger';

export const id = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example });
export const optionalId = (description: string, example: number | null) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example });
export const text = (description: string, example: string) => ApiProperty({ description, example });
export const optionalText = (description: string, example: string | null) =>
  ApiProperty({ type: String, nullable: true, description, example });
export const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });
