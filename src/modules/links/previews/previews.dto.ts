import { TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { Text } from '../../../common/validation/atoms';

const URL_TEXT = {
  min: 1,
  max: 1000,
  pattern: /^https?:\/\/\S+$/i,
  patternText: 'must be an http or https URL',
};

export class LinkPreviewQuery {
  @Text({ ...URL_TEXT, description: 'Destination', example: 'https://shop.example.com/spring' })
  url!: string;
}

export class ImageQuery {
  @Text({ ...URL_TEXT, description: 'Image', example: 'https://cdn.example.com/spring.png' })
  url!: string;
}

const text = (description: string, example: string) => Field(description, example, TEXT_OR_NULL);

export class LinkPreviewResponse {
  @text('Title of the page; null without one', 'Spring sale')
  title!: string | null;

  @text('Description of the page; null without one', 'Everything for spring')
  description!: string | null;

  @text('URL of the image, for `GET …/images`; null without one', 'https://cdn.example.com/spring.png')
  image!: string | null;

  @text('Name of the site; null without one', 'Example Shop')
  siteName!: string | null;

  @text('URL of the icon, for `GET …/images`; null without one', 'https://shop.example.com/icon.png')
  icon!: string | null;
}
