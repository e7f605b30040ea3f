import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../access/caller';
import { guarded, writeCsv } from '../../../common/csv/write-csv';
import { sendChunks } from '../../../common/http/send-chunks';
import { ClickLog, type LoggedLink } from './click-log';
import type { LoggedClick } from './click-log.query';
import {
  type ClickResponse,
  type ExportClicksQuery,
  type ExportFormat,
  toClickResponse,
} from './click-log.dto';

const BATCH = 1_000;

interface Format {
  readonly contentType: string;
  readonly head: string;
  readonly write: (clicks: readonly ClickResponse[]) => string;
}

/** CSV columns, which are the fields of a click. New ones are appended at the end. */
const COLUMNS = [
  'id',
  'clickedAt',
  'urlId',
  'campaignId',
  'country',
  'deviceType',
  'os',
  'browser',
  'referrer',
  'tracker',
  'customId',
  'utmSource',
  'utmMedium',
  'utmTerm',
  'utmContent',
  'utmCampaign',
  'variant',
  'isBot',
  'region',
  'city',
] as const satisfies readonly (keyof ClickResponse)[];

const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: writeCsv([COLUMNS]),
    write: (clicks) =>
      writeCsv(clicks.map((click) => COLUMNS.map((column) => guarded(String(click[column] ?? ''))))),
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    write: (clicks) => clicks.map((click) => `${JSON.stringify(click)}\n`).join(''),
  },
};

/** The clicks of a range as a download (docs/concepts/clicks.md#export). */
@Injectable()
export class ClickExport {
  constructor(private readonly log: ClickLog) {}

  async send(caller: Caller, link: LoggedLink, query: ExportClicksQuery, response: Response): Promise<void> {
    const format = FORMATS[query.format];
    const batches = this.log.batches(caller, link, query, BATCH);
    await sendChunks(response, textOf(batches, format), {
      'Content-Type': format.contentType,
      'Content-Disposition': `attachment; filename="${link.kind}-${link.id}-clicks.${query.format}"`,
    });
  }
}

async function* textOf(
  batches: AsyncIterable<LoggedClick[]>,
  { head, write }: Format,
): AsyncGenerator<string> {
  let before = head;
  for await (const clicks of batches) {
    yield before + write(clicks.map(toClickResponse));
    before = '';
  }
}
