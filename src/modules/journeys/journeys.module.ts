import { Module } from '@nestjs/common';
import { ClickStatisticsModule } from '../click-statistics/click-statistics.module';
import { SessionsModule } from '../sessions/sessions.module';
import { JourneysService } from './journeys.service';
import { SessionFiguresQuery } from './session-figures.query';
import { SessionPathQuery } from './session-path.query';
import { SessionPaths } from './session-paths';
import { SessionsController } from './sessions.controller';

/** An organization's sessions in the console, and the path of one person (docs/concepts/sessions.md#in-the-console). */
@Module({
  imports: [ClickStatisticsModule, SessionsModule],
  controllers: [SessionsController],
  providers: [JourneysService, SessionFiguresQuery, SessionPathQuery, SessionPaths],
})
export class JourneysModule {}
