import { Entity } from 'typeorm';
import { TargetEntity } from '../../common/target.entity';

/** A short link. */
@Entity('links')
export class Link extends TargetEntity {}
