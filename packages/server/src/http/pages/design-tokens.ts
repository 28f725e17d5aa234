/** The colors of every page that the service renders, as CSS custom properties, for light and dark mode. */
export const colors = {
  light: {
    ink: '#1c2430',
    soft: '#5b6675',
    line: '#dde3ea',
    back: '#fff',
    side: '#f5f7fa',
    mark: '#0b6bcb',
    code: '#eef2f6',
    page: '#f5f7fa',
    card: '#fff',
    'on-mark': '#fff',
    'mark-hover': '#095aac',
    danger: '#b4232a',
    'danger-back': '#fdf1f1',
    good: '#16794a',
    warn: '#935f00',
  },
  dark: {
    ink: '#e4e9f0',
    soft: '#97a3b3',
    line: '#2b3440',
    back: '#12171e',
    side: '#171d26',
    mark: '#5cb0ff',
    code: '#1f2732',
    page: '#101418',
    card: '#151b22',
    'on-mark': '#0a1524',
    'mark-hover': '#82c3ff',
    danger: '#ff8f8f',
    'danger-back': '#2c1b1f',
    good: '#4cc38a',
    warn: '#f0b44c',
  },
} as const

const declarations = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** The declarations of the colors, to which every stylesheet of the service refers. */
export const palette = `:root{color-scheme:light dark;${declarations(colors.light)}}
@media(prefers-color-scheme:dark){:root{${declarations(colors.dark)}}}`

/** The declarations for pages on which a script applies the color scheme that the user chose in the console. */
export const chosenPalette = `:root[data-color-scheme=light]{color-scheme:light;${declarations(colors.light)}}
:root[data-color-scheme=dark]{color-scheme:dark;${declarations(colors.dark)}}`

export const fonts = {
  text: 'Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
  /** Without quotation marks, because it is in attributes of emails. */
  mail: 'system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif',
  code: 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace',
} as const
