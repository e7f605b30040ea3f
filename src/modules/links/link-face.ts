import { LinkAliasQuery } from '../tracked-links/aliases/alias-availability.dto';
import type { Face } from '../tracked-links/api/face';
import { WithBackupFields } from '../tracked-links/csv/backup-fields.dto';
import { BulkCreateLinksRequest, BulkCreateLinksResponse } from './links-bulk.dto';
import {
  CreateLinkRequest,
  ExportLinksQuery,
  ListLinksQuery,
  NewLinkFields,
  SaveLinkRequest,
  UpdateLinkRequest,
} from './links.dto';
import { ShortUrlPage, ShortUrlResponse } from './short-url.dto';

@WithBackupFields()
class ImportedLink extends NewLinkFields {}

export const LINK_FACE: Face = {
  kind: 'link',
  operation: 'ShortUrl',
  noun: 'short link',
  path: 'urls',
  item: 'url',
  csvExample:
    'url,customAlias,title,tags\r\nhttps://shop.example.com/spring,spring,Spring sale,"sale,spring"\r\n',
  created:
    'Creates a short link on the default domain or a custom one, with a random code or an alias of your choice.',
  types: {
    response: ShortUrlResponse,
    page: ShortUrlPage,
    create: CreateLinkRequest,
    update: UpdateLinkRequest,
    save: SaveLinkRequest,
    list: ListLinksQuery,
    filters: ExportLinksQuery,
    alias: LinkAliasQuery,
    row: ImportedLink,
    bulk: BulkCreateLinksRequest,
    bulkResponse: BulkCreateLinksResponse,
  },
};
