import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Ten shades that keep 4.5:1 where text stands on them; the kit's own do not. */
const lume: MantineColorsTuple = [
  '#e8f2fc',
  '#cfe2f7',
  '#a3c8ee',
  '#7db4ea',
  '#5aa0e4',
  '#2f82d6',
  '#1a6fc4',
  '#0b5cad',
  '#094d91',
  '#073e75',
];

export const theme = createTheme({
  primaryColor: 'lume',
  colors: { lume },
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Its stand-in for the first focus is a child that a menu may not have.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close this message' } } },
  },
});

/** What the kit draws too faintly: secondary text, borders of fields, messages under them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4f5864',
    '--mantine-color-placeholder': '#5c6672',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#868e96',
    '--mantine-color-body': '#ffffff',
    '--parlour-line': '#d9dee4',
    '--parlour-good': '#1b7f3b',
    '--parlour-warning': '#8a5a00',
    '--parlour-bad': '#b3261e',
    '--parlour-test': '#fff3d6',
    '--parlour-test-text': '#573a00',
    '--parlour-surface': '#f6f8fa',
    '--parlour-inset': '#eef1f4',
    '--parlour-mine': '#e8f2fc',
    '--parlour-mine-line': '#cfe2f7',
    '--parlour-note': '#fff6db',
    '--parlour-note-line': '#e5c46b',
    '--parlour-note-text': '#5c4a12',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b2bd',
    '--mantine-color-placeholder': '#98a2ae',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-default-border': '#6b747e',
    '--mantine-color-body': '#15181c',
    '--parlour-line': '#343a41',
    '--parlour-good': '#5fd287',
    '--parlour-warning': '#ffca66',
    '--parlour-bad': '#ff9d94',
    '--parlour-test': '#4a3500',
    '--parlour-test-text': '#ffe9b8',
    '--parlour-surface': '#101317',
    '--parlour-inset': '#22272d',
    '--parlour-mine': '#12293f',
    '--parlour-mine-line': '#1d3d5e',
    '--parlour-note': '#332906',
    '--parlour-note-line': '#6b5310',
    '--parlour-note-text': '#e3cf94',
  },
});

/** The nonce under which scripts of this page may add style elements. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
