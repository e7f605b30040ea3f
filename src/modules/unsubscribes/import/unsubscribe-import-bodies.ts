import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import type { ApiRequest } from '../../../common/http/api-request';
import { MIB } from '../../../common/http/body-rules';
import { bodyStream } from '../../../common/http/body-stream';
import { parseJson } from '../../../common/http/json';
import { checkedRequest } from '../../../common/validation/request.pipe';
import { UnsubscribeImport } from './unsubscribe-import';
import { type ImportQuery, ImportRequest, type ImportResponse } from './unsubscribe-import.dto';

/** Maximum size of a CSV file: docs/importing.md#limits. */
export const MAX_IMPORT = 1024 * MIB;
const MAX_JSON = 5 * MIB;

/** Imports in either format: JSON is read whole, CSV is streamed. */
@Injectable()
export class ImportBodies {
  constructor(private readonly imports: UnsubscribeImport) {}

  /** @throws MalformedJson, PayloadTooLarge, ValidationFailed, ImportBrokenOff */
  async run(caller: Caller, query: ImportQuery, request: ApiRequest): Promise<ImportResponse> {
    const isCsv = request.headers['content-type']?.toLowerCase().startsWith('text/') === true;
    if (isCsv) return this.imports.file(caller, query, bodyStream(request, MAX_IMPORT));
    const chunks: Buffer[] = [];
    for await (const chunk of bodyStream(request, MAX_JSON)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = bytes.length === 0 ? undefined : parseJson(bytes);
    return this.imports.items(caller, await checkedRequest(ImportRequest, body, 'body'));
  }
}
