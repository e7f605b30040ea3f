import { Center, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTexts } from '../../texts/texts';
import { SIGNED_IN_CHANNEL } from './sign-in-form';
import { signInTexts } from './texts';

export function SignedInPage() {
  const t = useTexts(signInTexts);
  useEffect(() => {
    const channel = new BroadcastChannel(SIGNED_IN_CHANNEL);
    channel.postMessage(null);
    channel.close();
    window.close();
  }, []);
  return (
    <Center component="main" mih="60vh">
      <Text>{t('finished')}</Text>
    </Center>
  );
}
