import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { App } from './app.entity';
import { AppsService } from './apps.service';

/** The apps that customers register. */
@Module({ imports: [TypeOrmModule.forFeature([App])], providers: [AppsService], exports: [AppsService] })
export class AppsModule {}
