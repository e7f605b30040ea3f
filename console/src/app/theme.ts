import { createTheme, type MantineColorsTuple } from '@mantine/core';

const blue: MantineColorsTuple = [
  '#eaf3ff',
  '#d3e3fa',
  '#a6c5f3',
  '#76a5ec',
  '#4e8be6',
  '#367ae3',
  '#2a72e2',
  '#1e61c9',
  '#1356b4',
  '#004a9f',
];

/** Filled elements use shades on which white text has a contrast of at least 4.5 to 1. */
export const theme = createTheme({
  primaryColor: 'waypost',
  primaryShade: { light: 7, dark: 7 },
  colors: { waypost: blue },
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Drawer: { styles: { title: { fontWeight: 600 } } },
    Modal: { styles: { title: { fontWeight: 600 } } },
    // The placeholder element is not allowed in role="menu".
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Prevents badges from being cut off in narrow columns.
    Badge: { styles: { root: { minWidth: 'max-content', textTransform: 'none' } } },
  },
});
