import { defineTexts, type Texts } from './texts';

/** Names of pages and of the sections of the menu. */
export const menuTexts = defineTexts(
  'menu',
  {
    top: 'Overview',
    reach: 'Reach',
    people: 'People',
    connect: 'Connect',
    backTo: 'Back to {{page}}',
    overview: 'Overview',
    links: 'Links',
    campaigns: 'Campaigns',
    journeys: 'Journeys',
    contacts: 'Contacts',
    segments: 'Segments',
    optOuts: 'Opt-outs',
    apps: 'Apps',
    domains: 'Domains',
    tester: 'Link tester',
    webhooks: 'Webhooks',
    settings: 'Settings',
  },
  {
    top: '개요',
    reach: '도달',
    people: '사람',
    connect: '연결',
    backTo: '{{page}} 목록으로 돌아가기',
    overview: '개요',
    links: '링크',
    campaigns: '캠페인',
    journeys: '여정',
    contacts: '연락처',
    segments: '세그먼트',
    optOuts: '수신 거부',
    apps: '앱',
    domains: '도메인',
    tester: '링크 테스터',
    webhooks: '웹훅',
    settings: '설정',
  },
);

export type MenuLabel = typeof menuTexts extends Texts<infer Key> ? Key : never;
