import { Group, Text } from '@mantine/core';
import { IconArrowRight, IconBrandAndroid, IconBrandApple, IconWorld } from '@tabler/icons-react';
import { useTexts } from '../../texts/texts';
import { journeyTexts } from './texts';
import type { Platform } from './use-journeys-view';

const PLATFORM_ICONS = { WEB: IconWorld, IOS: IconBrandApple, ANDROID: IconBrandAndroid } as const;

interface Props {
  of: Platform;
  /** First platform of the session, shown if it is another one. */
  from?: Platform;
}

export function PlatformName({ of, from = of }: Props) {
  const t = useTexts(journeyTexts);
  const passed = from === of ? [of] : [from, of];
  return (
    <Group gap={6} wrap="nowrap">
      {passed.map((platform, index) => {
        const Icon = PLATFORM_ICONS[platform];
        return (
          <Group key={platform} gap={4} wrap="nowrap">
            {index > 0 && <IconArrowRight size={14} aria-hidden />}
            <Icon size={16} aria-hidden />
            <Text size="sm" span>
              {t(platform)}
            </Text>
          </Group>
        );
      })}
    </Group>
  );
}
