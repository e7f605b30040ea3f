import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PreparedStatements } from '../../infrastructure/database/prepared-statements';
import { DomainUses } from '../domains/domain-uses';
import { type Counted, TargetRows } from '../tracked-links/tracked-links.repository';
import { Link } from './link.entity';

export type CountedLink = Counted<Link>;

/** The rows of `links`. */
@Injectable()
export class LinksRepository extends TargetRows<Link> {
  constructor(
    @InjectRepository(Link) links: Repository<Link>,
    statements: PreparedStatements,
    uses: DomainUses,
  ) {
    super('link', links, statements);
    uses.register(this);
  }
}
