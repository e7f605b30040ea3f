import {
  Body,
  Controller,
  Get,
  Header,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { NextFunction, Response } from 'express';
import { Public } from '../../src/access/access.decorator';
import { DomainError } from '../../src/common/errors/domain-error';
import type { ApiRequest } from '../../src/common/http/api-request';
import { Bodies, BulkBody, MIB } from '../../src/common/http/body-rules';
import { Int, Nested, PathId, QueryInt, Text } from '../../src/common/validation/atoms';
import { Database } from '../../src/infrastructure/database/database';

class ProbeItem {
  @Int({ min: 1, max: 10, description: 'A number' })
  number!: number;
}

class ProbeBody {
  @Text({ max: 20, description: 'A name' })
  name!: string;

  @Nested(() => ProbeItem, { optional: true, description: 'An item' })
  item?: ProbeItem;

  @Text({ max: 20, default: 'none', description: 'A colour' })
  color: string = 'none';
}

class ProbeQuery {
  @QueryInt({ min: 0, max: 100, default: 0, description: 'A page' })
  page: number = 0;

  @Text({ max: 10, optional: true, description: 'A word' })
  word?: string;
}

class ProbeId {
  @PathId()
  id!: number;
}

/** Called by the probe's handlers; tests replace it. */
@Injectable()
export class ProbeHook {
  run: () => unknown = () => undefined;
}

/** Routes for testing rules that apply to all routes. */
@ApiExcludeController()
@Public('test')
@Controller('api/v1/probe')
class ProbeController {
  constructor(@Inject(ProbeHook) private readonly hook: ProbeHook) {}

  @Post()
  create(@Body() body: ProbeBody) {
    return body;
  }

  @Post('bulk')
  @BulkBody()
  bulk(@Body() body: ProbeBody) {
    return { name: body.name };
  }

  @Post('text')
  @Bodies({ limit: MIB, types: ['text/csv'] })
  text(@Req() request: ApiRequest) {
    return { text: request.body as string };
  }

  @Get()
  list(@Query() query: ProbeQuery) {
    return query;
  }

  @Get('hook')
  @Header('Content-Type', 'text/plain')
  async runHook() {
    await this.hook.run();
    return { done: true };
  }

  @Get('stream')
  stream(@Res() response: Response) {
    response.write('half');
    throw new Error('in the middle');
  }

  @Get(':id')
  read(@Param() { id }: ProbeId) {
    return { id };
  }
}

/** Routes for testing Idempotency-Key, which write to a test table for the organization in X-Test-Organization. */
@ApiExcludeController()
@Public('test')
@Controller('api/v1/service/probe')
export class ServiceProbeController {
  constructor(
    @Inject(Database) private readonly transactions: Database,
    @Inject(ProbeHook) private readonly hook: ProbeHook,
  ) {}

  @Post()
  create(@Body() body: ProbeBody, @Res({ passthrough: true }) response: Response) {
    return this.transactions.write(async (tx) => {
      const rows = await tx.query<{ id: number }>('INSERT INTO probe (name) VALUES ($1) RETURNING id', [
        body.name,
      ]);
      const id = rows[0]?.id ?? 0;
      await this.hook.run();
      tx.afterCommit(() => void ServiceProbeController.committed.push(id));
      if (body.color === 'refused') throw new DomainError('ALIAS_TAKEN', 'taken', { id });
      response.status(body.color === 'old' ? 200 : 201).setHeader('Location', `/probe/${id}`);
      return { id, name: body.name };
    });
  }

  @Post('other')
  other(@Body() body: ProbeBody, @Res({ passthrough: true }) response: Response) {
    return this.create(body, response);
  }

  static readonly committed: number[] = [];
}

@Module({ controllers: [ProbeController, ServiceProbeController], providers: [ProbeHook] })
export class ProbeModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((request: ApiRequest, _response: Response, next: NextFunction) => {
        const organizationId = Number(request.headers['x-test-organization']);
        if (organizationId) request.caller = { userId: null, organizationId };
        next();
      })
      .forRoutes(ServiceProbeController);
  }
}
