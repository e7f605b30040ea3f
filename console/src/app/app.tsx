import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queries } from '../api/client';
import { Confirmations } from '../kit/confirm';
import { Toasts } from '../kit/toasts';
import { router } from './router';
import { theme } from './theme';

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Confirmations />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
}
