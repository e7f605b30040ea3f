import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../infrastructure/database/database';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TrackedLinksRepository } from '../tracked-links/tracked-links.repository';
import { Link } from './link.entity';

export type CountedLink = Counted<Link>;

@Injectable()
export class LinksRepository extends TrackedLinksRepository<Link> {
  constructor(@InjectRepository(Link) links: Repository<Link>, database: Database, uses: DomainUses) {
    super('link', links, database);
    uses.register(this);
  }
}
