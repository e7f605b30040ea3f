import { Get, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Caller } from '../../../access/caller';
import { Access } from '../../../access/access.decorator';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { PathId } from '../../../common/validation/atoms';
import type { TrackedLinkKind } from '../../clicks/click';
import { ClickExport } from './click-export';
import { ClickLog } from './click-log';
import {
  ClickListResponse,
  EXPORT_CONTENT,
  EXPORT_DESCRIPTION,
  ExportClicksQuery,
  LIST_DESCRIPTION,
  ListClicksQuery,
} from './click-log.dto';

interface TrackedLinks {
  /** @throws NotFound */
  get(organizationId: number, id: number): Promise<unknown>;
}

interface Kind {
  kind: TrackedLinkKind;
  /** Part of the operation ids, such as `ShortUrl`. */
  operation: string;
  /** Such as `short link`. */
  noun: string;
}

/** Lists the clicks of one kind of tracked link; subclasses declare the path. */
export function clickLogController({ kind, operation, noun }: Kind) {
  class ClickLogPath {
    @PathId({ description: `Id of the ${kind}` })
    id!: number;
  }

  @Access({ key: 'service', scope: 'analytics:read' })
  abstract class ClickLogController {
    abstract readonly trackedLinks: TrackedLinks;

    constructor(
      readonly log: ClickLog,
      readonly exports: ClickExport,
    ) {}

    @Get()
    @ApiEndpoint({
      operationId: `list${operation}Clicks`,
      summary: `List the clicks of a ${noun}`,
      description: LIST_DESCRIPTION,
      response: { type: ClickListResponse, description: 'A page of clicks' },
      errors: ['INVALID_CURSOR'],
    })
    async list(
      @Caller() caller: Caller,
      @Param() { id }: ClickLogPath,
      @Query() query: ListClicksQuery,
    ): Promise<ClickListResponse> {
      await this.trackedLinks.get(caller.organizationId, id);
      return this.log.list(caller, { kind, id }, query);
    }

    @Get('export')
    @ApiEndpoint({
      operationId: `export${operation}Clicks`,
      summary: `Export the clicks of a ${noun}`,
      description: EXPORT_DESCRIPTION,
      response: { content: EXPORT_CONTENT, description: 'The file' },
    })
    async export(
      @Caller() caller: Caller,
      @Param() { id }: ClickLogPath,
      @Query() query: ExportClicksQuery,
      @Res() response: Response,
    ): Promise<void> {
      await this.trackedLinks.get(caller.organizationId, id);
      await this.exports.send(caller, { kind, id }, query, response);
    }
  }
  return ClickLogController;
}
