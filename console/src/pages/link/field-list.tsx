import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { WebLink } from '../../kit/web-link';
import { common } from '../../texts/common';
import { formatDateTime, formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { formTexts } from '../links/form/texts';
import { UTM_FIELDS } from '../links/form/shared-values';
import type { Link } from '../links/link';
import { ruleSentence } from '../links/rule-sentence';
import { ruleTexts } from '../links/rule-texts';
import { useApps } from '../links/use-choices';

/** All fields of a link or campaign that have a value. @param name of a campaign */
export function FieldList({ link, name }: { link: Omit<Link, 'shortUrl'>; name?: string }) {
  const f = useTexts(formTexts);
  const c = useTexts(common);
  const r = useTexts(ruleTexts);
  const apps = useApps();
  const appName = (id: number | null) => apps.find(({ value }) => value === String(id))?.label ?? id;
  const address = (url: string | null) => url !== null && <WebLink href={url} size="sm" />;
  const time = (value: string | null) => value !== null && formatDateTime(value);
  const yes = (value: boolean) => c(value ? 'yes' : 'no');
  const rows: [label: string, value: ReactNode][] = [
    [f('name'), name ?? null],
    [f('url'), address(link.originalUrl)],
    [f('title'), link.title],
    [f('tags'), link.tags.join(', ')],
    ...UTM_FIELDS.map((field): [string, ReactNode] => [f(field), link[field]]),
    [f('ogTitle'), link.ogTitle],
    [f('ogDescription'), link.ogDescription],
    [f('ogImageUrl'), address(link.ogImageUrl)],
    [f('startsAt'), time(link.startsAt)],
    [f('notStartedUrl'), address(link.notStartedUrl)],
    [f('expirationDate'), time(link.expiresAt)],
    [f('expiredUrl'), address(link.expiredUrl)],
    [f('maxClicks'), link.maxClicks !== null && formatNumber(link.maxClicks)],
    [f('password'), link.hasPassword && yes(true)],
    ...link.targeting.map((rule, index): [string, ReactNode] => [
      f('rule', { number: index + 1 }),
      <>
        <Text size="sm">{ruleSentence(rule, r)} →</Text>
        <WebLink href={rule.url} size="sm" />
      </>,
    ]),
    ...link.variants.map(({ url, weight }, index): [string, ReactNode] => [
      f('variant', { number: index + 1 }),
      <>
        <WebLink href={url} size="sm" />
        <Text span size="sm" c="dimmed">{` × ${formatNumber(weight)}`}</Text>
      </>,
    ]),
    [f('iosAppId'), appName(link.iosAppId)],
    [f('iosDeepLinkPath'), link.iosDeepLinkPath],
    [f('androidAppId'), appName(link.androidAppId)],
    [f('androidDeepLinkPath'), link.androidDeepLinkPath],
    [f('mobileTargetUrl'), address(link.mobileTargetUrl)],
    [f('goalType'), link.goalType],
    [f('enabled'), yes(link.enabled)],
    [f('archived'), yes(link.archived)],
    [f('forwardQuery'), yes(link.forwardQuery)],
    [
      f('appendClickId'),
      f(link.appendClickId === null ? 'asOrganization' : link.appendClickId ? 'append' : 'appendNot'),
    ],
    [f('externalId'), link.externalId],
  ];
  return (
    <Table variant="vertical" layout="fixed" withTableBorder={false}>
      <Table.Tbody>
        {rows
          .filter(([, value]) => value !== null && value !== false && value !== '')
          .map(([label, value], index) => (
            <Table.Tr key={index}>
              <Table.Th w="38%">{label}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
