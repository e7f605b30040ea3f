import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TrackedLinksRepository } from '../tracked-links/tracked-links.repository';
import { Link } from './link.entity';
import { Database } from '../../infrastructure/database/database';

export type CountedLink = Counted<Link>;

/** The rows of `links`. */
@Injectable()
export class LinksRepository extends TrackedLinksRepository<Link> {
  constructor(@InjectRepository(Link) links: Repository<Link>, database: Database, uses: DomainUses) {
    super('link', links, database);
    uses.register(this);
  }
}
