import { Controller, Get, Module, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../../src/access/access.decorator';
import { ApiKeysService } from '../../src/access/api-keys/api-keys.service';
import { callerOf, createOrganization, serviceApi, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

/** A route of each kind of scope. */
@ApiExcludeController()
@Controller('api/v1/service/scope-probe')
class ScopeProbeController {
  @Get()
  @Access({ key: 'service', scope: 'links:read' })
  read() {
    return {};
  }

  @Post()
  @Access({ key: 'service', scope: 'links:write' })
  write() {
    return {};
  }

  @Get('analytics')
  @Access({ key: 'service', scope: 'analytics:read' })
  analytics() {
    return {};
  }
}

@Module({ controllers: [ScopeProbeController] })
class ScopeProbeModule {}

const PROBE = '/api/v1/service/scope-probe';

describe('scopes of an API key', () => {
  const app = useTestApp({ modules: [ScopeProbeModule] });
  let made: TestOrganization;
  beforeAll(async () => {
    made = await createOrganization(app);
  });

  it.each([
    [['*'], [200, 201, 200]],
    [['links:read'], [200, 403, 403]],
    [['links:write'], [200, 201, 403]],
    [['analytics:read'], [403, 403, 200]],
    [
      ['analytics:read', 'links:read'],
      [200, 403, 200],
    ],
    [['campaigns:write'], [403, 403, 403]],
  ])('%j open reading, writing and analytics: %j', async (scopes, expected) => {
    const { userId, organizationId } = made;
    const by = await callerOf(app, organizationId);
    const { apiKey } = await app.get(ApiKeysService).create(by, { name: 'Scoped', userId, scopes });
    const api = serviceApi(app, apiKey);
    const answers = [await api.get(PROBE), await api.post(PROBE), await api.get(`${PROBE}/analytics`)];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    const needed = ['links:read', 'links:write', 'analytics:read'];
    for (const [i, { status, body }] of answers.entries()) {
      if (status !== 403) continue;
      const refusal = { error: 'SCOPE_REQUIRED', code: 'SCOPE_REQUIRED', scope: needed[i] };
      expect(body).toMatchObject({ ...refusal, message: `The API key lacks the scope ${needed[i]}` });
    }
  });
});
