import { Button, Group, Notification, Portal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { apiMessage, isApiError, isPassing } from '../api/errors';
import { Store, useStore } from '../api/store';
import { common } from '../texts/common';
import { textOf, useTexts } from '../texts/texts';

interface Toast {
  readonly id: number;
  readonly message: string;
  readonly failed: boolean;
  readonly undo?: () => void;
}

const SHOWN_MS = 6_000;
const UNDO_SHOWN_MS = 12_000;
const toasts = new Store<readonly Toast[]>([]);
let last = 0;

function show(toast: Omit<Toast, 'id'>): void {
  const id = ++last;
  // A problem that is already shown is not shown twice.
  const others = toasts.get().filter(({ failed, message }) => !failed || message !== toast.message);
  toasts.set([...others, { ...toast, id }].slice(-4));
  if (!toast.failed) setTimeout(() => hide(id), toast.undo ? UNDO_SHOWN_MS : SHOWN_MS);
}

function hide(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** @param undo reverses the action */
export function showDone(message: string, undo?: () => void): void {
  show({ message, failed: false, ...(undo && { undo }) });
}

/** Shows the API's error until it is closed. */
export function showError(error: unknown): void {
  show({ message: errorText(error), failed: true });
}

/** Shows a problem of a call that has succeeded otherwise. */
export function showProblem(message: string): void {
  show({ message, failed: true });
}

const IDS = new Set<string | undefined>(['id', 'sessionId']);

export function errorText(error: unknown): string {
  // The URL of the page contains an impossible id.
  if (isApiError(error) && error.details?.length === 1 && IDS.has(error.details[0]?.field)) {
    return textOf(common, 'notFound');
  }
  return apiMessage(error) ?? textOf(common, isPassing(error) ? 'awayShort' : 'failed');
}

export function Toasts() {
  const shown = useStore(toasts);
  const t = useTexts(common);
  return (
    <Portal>
      <Stack
        role="status"
        aria-live="polite"
        pos="fixed"
        // Above the buttons at the bottom of a panel.
        inset="auto 0 80px"
        mx="auto"
        gap="xs"
        w="min(26rem, calc(100vw - 32px))"
        style={{ zIndex: 500 }}
      >
        {shown.map(({ id, message, failed, undo }) => (
          <Notification
            key={id}
            withBorder
            color={failed ? 'red' : 'teal'}
            icon={failed ? <IconAlertTriangle size={18} /> : <IconCheck size={18} />}
            onClose={() => hide(id)}
            closeButtonProps={{ 'aria-label': t('close') }}
          >
            <Group justify="space-between" wrap="nowrap" align="center">
              <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
                {message}
              </Text>
              {undo && (
                <Button
                  size="compact-sm"
                  variant="light"
                  onClick={() => {
                    hide(id);
                    undo();
                  }}
                >
                  {t('undo')}
                </Button>
              )}
            </Group>
          </Notification>
        ))}
      </Stack>
    </Portal>
  );
}
