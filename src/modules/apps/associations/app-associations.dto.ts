import { ApiProperty } from '@nestjs/swagger';
import {
  ASSOCIATION_PROBLEM_CODES,
  type AssociationProblem,
  type AssociationProblemCode,
} from './association-problems';

class AssociationProblemResponse implements AssociationProblem {
  @ApiProperty({ enum: ASSOCIATION_PROBLEM_CODES, description: 'Stable code', example: 'NO_UNIVERSAL_LINKS' })
  code!: AssociationProblemCode;

  @ApiProperty({ description: 'In words', example: 'Without teamId, the app is not in the file' })
  message!: string;
}

export class AssociationFileResponse {
  @ApiProperty({
    description: 'Address of the file',
    example: 'https://links.example.com/.well-known/apple-app-site-association',
  })
  url!: string;

  @ApiProperty({
    description: 'JSON text as it is served: the first 65,536 characters',
    example:
      '{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.shop"],"components":[{"/":"/k3v9qx/*"}]}]}}',
  })
  content!: string;

  @ApiProperty({ type: 'integer', description: 'Size of the whole file in bytes', example: 100 })
  size!: number;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: "Whether the file names the app with its path; null: the app's platform does not read it",
    example: true,
  })
  includesApp!: boolean | null;

  @ApiProperty({
    type: AssociationProblemResponse,
    isArray: true,
    description: 'Why links on this host do not open the app; empty if they can, or includesApp is null',
  })
  problems!: AssociationProblemResponse[];
}

class AssociationHostResponse {
  @ApiProperty({ description: 'Host name, with a port if it has one', example: 'links.example.com' })
  host!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    description:
      'Id of the custom domain; null for the default domain, whose files name the apps of all organizations',
    example: 4,
  })
  customDomainId!: number | null;

  @ApiProperty({
    type: AssociationFileResponse,
    isArray: true,
    description: '`apple-app-site-association`, which iOS reads, and `assetlinks.json`, which Android reads',
  })
  files!: AssociationFileResponse[];
}

export class AppAssociationsResponse {
  @ApiProperty({
    type: AssociationHostResponse,
    isArray: true,
    description: 'The default domain, then up to 100 VERIFIED and ACTIVE custom domains by name',
  })
  hosts!: AssociationHostResponse[];
}
