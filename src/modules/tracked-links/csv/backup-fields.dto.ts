import { MAX_LEGACY_CODE } from '../../domains/codes';
import { Bool, DateTimeText, Int, Text } from '../../../common/validation/atoms';

const optional = true;
const MAX_CLICKS = 10 ** 15;
const clicks = (description: string) => Int({ min: 0, max: MAX_CLICKS, description, example: 42, optional });

/** Fields of an export that requests do not have. */
export interface BackupFields {
  code?: string | null;
  shortUrl?: string | null;
  customDomainName?: string | null;
  domain?: string | null;
  createdAt?: string | null;
  hasPassword?: boolean | null;
  deduplicationWindowMinutes?: number | null;
  importedClicks?: number | null;
  clickCount?: number | null;
  legacyCode?: string | null;
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
  importedClicks: clicks('Clicks that it had brought along'),
  clickCount: clicks('Clicks that the other product or installation counted, added to those'),
  legacyCode: Text({
    max: MAX_LEGACY_CODE,
    description: 'Code that is not an alias, which the import keeps',
    example: 'spring.sale',
    optional,
  }),
};

export function WithBackupFields(): ClassDecorator {
  return ({ prototype }) => {
    for (const [name, field] of Object.entries(FIELDS)) field(prototype as object, name);
  };
}
