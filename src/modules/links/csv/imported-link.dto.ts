import { Bool, DateTimeText, Int, Text } from '../../../common/validation/atoms';
import { NewLinkFields } from '../links.dto';

const optional = true;

/** A row of an import: the fields of a create request and those that only exports have. */
export class ImportedLink extends NewLinkFields {
  @Text({ max: 50, description: 'Code of the exported link', example: 'aZ3kQ9x', optional })
  code?: string | null;

  @Text({
    max: 1000,
    description: 'URL of the exported link; its path becomes the alias if the row has none',
    example: 'https://go.example.com/spring',
    optional,
  })
  shortUrl?: string | null;

  @Text({ max: 253, description: 'Custom domain, by name', example: 'go.example.com', optional })
  customDomainName?: string | null;

  @Text({
    max: 253,
    description: 'Domain in another product; used if it is a custom domain of the organization',
    example: 'go.example.com',
    optional,
  })
  domain?: string | null;

  @DateTimeText({ description: 'Creation time of the link', optional })
  createdAt?: string | null;

  @Bool({ description: 'Whether the link had a password', example: false, optional })
  hasPassword?: boolean | null;

  @Int({
    min: 1,
    max: 10_080,
    description: 'De-duplication window, in minutes',
    example: 60,
    optional,
  })
  deduplicationWindowMinutes?: number | null;
}
