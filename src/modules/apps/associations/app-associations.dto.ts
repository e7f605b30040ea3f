import { INT64_OR_NULL, INTEGER, Field } from '../../../common/http/api-field';
import { ASSOCIATION_PROBLEM_CODES, type AssociationProblemCode } from './association-problems';

class AssociationProblemResponse {
  @Field('Stable code', 'NO_UNIVERSAL_LINKS', { enum: ASSOCIATION_PROBLEM_CODES })
  code!: AssociationProblemCode;

  @Field('In words', 'Without teamId, the app is not in the file')
  message!: string;
}

export class AssociationFileResponse {
  @Field('Address of the file', 'https://links.example.com/.well-known/apple-app-site-association')
  url!: string;

  @Field(
    'JSON text as it is served: the first 65,536 characters',
    '{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.shop"],"components":[{"/":"/k3v9qx/*"}]}]}}',
  )
  content!: string;

  @Field('Size of the whole file in bytes', 100, INTEGER)
  size!: number;

  @Field("Whether the file names the app with its path; null: the app's platform does not read it", true, {
    type: Boolean,
    nullable: true,
  })
  includesApp!: boolean | null;

  @Field('Why links on this host do not open the app; empty if they can, or includesApp is null', undefined, {
    type: AssociationProblemResponse,
    isArray: true,
  })
  problems!: AssociationProblemResponse[];
}

class AssociationHostResponse {
  @Field('Host name, with a port if it has one', 'links.example.com')
  host!: string;

  @Field(
    'Id of the custom domain; null for the default domain, whose files name the apps of all organizations',
    4,
    INT64_OR_NULL,
  )
  customDomainId!: number | null;

  @Field(
    '`apple-app-site-association`, which iOS reads, and `assetlinks.json`, which Android reads',
    undefined,
    { type: AssociationFileResponse, isArray: true },
  )
  files!: AssociationFileResponse[];
}

export class AppAssociationsResponse {
  @Field('The default domain, then up to 100 VERIFIED and ACTIVE custom domains by name', undefined, {
    type: AssociationHostResponse,
    isArray: true,
  })
  hosts!: AssociationHostResponse[];
}
