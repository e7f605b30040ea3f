import { Entity } from 'typeorm';
import { TrackedLinkEntity } from '../tracked-links/tracked-link.entity';

/** A short link, `/<code>`. */
@Entity('links')
export class Link extends TrackedLinkEntity {}
