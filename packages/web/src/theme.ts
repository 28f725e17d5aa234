import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const quay: MantineColorsTuple = [
  '#eaf4ff',
  '#d3e6fb',
  '#a4cbf6',
  '#72aff2',
  '#4997ee',
  '#2f88ec',
  '#1f78dd',
  '#0b6bcb',
  '#005cb3',
  '#004e9a',
]

const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e3e7ec',
  '#d3d9e0',
  '#b3bcc7',
  '#8b96a4',
  '#667281',
  '#4c5765',
  '#333d49',
  '#1c2430',
]

const dark: MantineColorsTuple = [
  '#e4e9f0',
  '#c3ccd7',
  '#97a3b3',
  '#6f7c8c',
  '#3a4552',
  '#2a333e',
  '#1c242d',
  '#151b22',
  '#101418',
  '#0a0d11',
]

const red: MantineColorsTuple = [
  '#fff2f0',
  '#fde0dd',
  '#fbc4be',
  '#f8a199',
  '#f47f75',
  '#f2695d',
  '#d93025',
  '#b42318',
  '#971b12',
  '#7a150e',
]

const fontFamily = "'Inter Variable', 'Inter Fallback', system-ui, sans-serif"

export const theme = createTheme({
  primaryColor: 'quay',
  // White text on a lighter shade has too little contrast.
  primaryShade: 7,
  colors: { quay, gray, dark, red },
  fontFamily,
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, 'JetBrains Mono', Menlo, Consolas, monospace",
  headings: {
    fontFamily,
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '1rem', lineHeight: '1.5' },
      h3: { fontSize: '0.875rem', lineHeight: '1.5' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    Button: { defaultProps: { size: 'sm', variant: 'filled' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    TagsInput: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    Menu: {
      // The placeholder is not allowed in a menu. Without it, the first item receives the focus, as ARIA recommends.
      defaultProps: { shadow: 'md', transitionProps: { duration: 90 }, withInitialFocusPlaceholder: false },
    },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 90 } } },
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        centered: true,
        transitionProps: { duration: 120 },
        overlayProps: { opacity: 0.35 },
        // The header of the page stays the only banner.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Tooltip: { defaultProps: { openDelay: 350, transitionProps: { duration: 80 } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tabs: { defaultProps: { keepMounted: false } },
  },
})

/** The colors of the console beyond those of Mantine. The styles refer to colors only by these names. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1c2430',
    '--mantine-color-dimmed': '#5b6675',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#e3e7ec',
    '--mantine-color-anchor': '#0b6bcb',
    '--mantine-color-error': '#b42318',
    '--mantine-color-placeholder': '#667281',
    // The text of light badges, which has too little contrast in the shades of Mantine.
    '--mantine-color-yellow-light-color': '#7d4e00',
    '--mantine-color-orange-light-color': '#943407',
    '--mantine-color-teal-light-color': '#066047',
    '--mantine-color-green-light-color': '#1f6a2d',
    '--q-sidebar': '#f7f8fa',
    '--q-line': '#e3e7ec',
    '--q-line-strong': '#d3d9e0',
    '--q-subtle': '#f4f6f8',
    '--q-hover': '#f0f3f6',
    '--q-selected': '#eaf4ff',
    '--q-soft': '#5b6675',
    '--q-accent': '#0b6bcb',
    '--q-good': '#16794a',
    '--q-warn': '#935f00',
    '--q-bad': '#b42318',
    '--q-good-back': '#e9f6ef',
    '--q-warn-back': '#fdf4e3',
    '--q-bad-back': '#fdecea',
  },
  dark: {
    '--mantine-color-text': '#e4e9f0',
    '--mantine-color-dimmed': '#97a3b3',
    '--mantine-color-body': '#101418',
    '--mantine-color-default': '#171d24',
    '--mantine-color-default-hover': '#1f2730',
    '--mantine-color-default-border': '#2a333e',
    '--mantine-color-anchor': '#72b4ff',
    '--mantine-color-error': '#ff8a80',
    // The text of red menu items, which has too little contrast on a dark menu.
    '--mantine-color-red-6': '#ff8a80',
    '--mantine-color-placeholder': '#7d8a99',
    '--q-sidebar': '#0c1013',
    '--q-line': '#222a33',
    '--q-line-strong': '#333e4a',
    '--q-subtle': '#151b21',
    '--q-hover': '#19212a',
    '--q-selected': '#12273d',
    '--q-soft': '#97a3b3',
    '--q-accent': '#72b4ff',
    '--q-good': '#5fcf95',
    '--q-warn': '#e5b454',
    '--q-bad': '#ff8a80',
    '--q-good-back': '#10261b',
    '--q-warn-back': '#2a2110',
    '--q-bad-back': '#2f1614',
  },
})
