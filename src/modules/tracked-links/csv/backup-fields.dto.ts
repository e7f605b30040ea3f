import { Bool, DateTimeText, Int, Text } from '../../../common/validation/atoms';

const optional = true;

/** Fields of an export that requests do not have. */
export interface BackupFields {
  code?: string | null;
  shortUrl?: string | null;
  customDomainName?: string | null;
  domain?: string | null;
  createdAt?: string | null;
  hasPassword?: boolean | null;
  deduplicationWindowMinutes?: number | null;
}

const FIELDS: Readonly<Record<keyof BackupFields, PropertyDecorator>> = {
  code: Text({ max: 50, description: 'Code of the exported one', example: 'aZ3kQ9x', optional }),
  shortUrl: Text({
    max: 1000,
    description: 'URL of the exported one; its path becomes the alias if the row has none',
    example: 'https://go.example.com/spring',
    optional,
  }),
  customDomainName: Text({
    max: 253,
    description: 'Custom domain, by name',
    example: 'go.example.com',
    optional,
  }),
  domain: Text({
    max: 253,
    description: 'Domain in another product; used if it is a custom domain of the organization',
    example: 'go.example.com',
    optional,
  }),
  createdAt: DateTimeText({ description: 'Creation time', optional }),
  hasPassword: Bool({ description: 'Whether it had a password', example: false, optional }),
  deduplicationWindowMinutes: Int({
    min: 1,
    max: 10_080,
    description: 'De-duplication window, in minutes',
    example: 60,
    optional,
  }),
};

/** Adds `BackupFields` to the fields of a request. */
export function WithBackupFields(): ClassDecorator {
  return ({ prototype }) => {
    for (const [name, field] of Object.entries(FIELDS)) field(prototype as object, name);
  };
}
