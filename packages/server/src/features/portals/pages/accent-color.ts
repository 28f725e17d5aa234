import { colors } from '../../../http/pages/design-tokens.ts'

type Rgb = readonly [red: number, green: number, blue: number]

const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]
/** The contrast that WCAG 2.2 requires of text (AA). */
const minContrast = 4.5
const steps = 100
/** How much the color of a button that is pointed at differs. */
const hoverShare = 0.15

const parse = (hex: string): Rgb => {
  const digits = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  return [red, green, blue]
}

const format = (color: Rgb): string =>
  `#${color.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const [red, green, blue] = from.map((value, index) => value + ((to[index] ?? 0) - value) * share)
  return [red ?? 0, green ?? 0, blue ?? 0]
}

/** Returns the relative luminance of a color as WCAG defines it. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Returns the contrast between two colors such as `#0b6bcb`, from 1 to 21. */
export const contrastOf = (one: string, other: string): number => contrast(parse(one), parse(other))

/** Returns the shade of the color closest to it that can be read on every background of a theme. */
function readableShade(accent: Rgb, theme: 'light' | 'dark'): Rgb {
  const backgrounds = [colors[theme].page, colors[theme].card, colors[theme].code].map(parse)
  const target = theme === 'light' ? black : white
  for (let step = 0; step < steps; step++) {
    // Rounded as in the stylesheet, because rounding can cost the last bit of contrast.
    const shade = parse(format(mix(accent, target, step / steps)))
    if (backgrounds.every((background) => contrast(shade, background) >= minContrast)) return shade
  }
  return target
}

function declarationsFor(accent: Rgb, theme: 'light' | 'dark'): string {
  const shade = readableShade(accent, theme)
  const text = contrast(shade, white) >= minContrast ? white : black
  const hover = mix(shade, text === white ? black : white, hoverShare)
  return `--mark:${format(shade)};--on-mark:${format(text)};--mark-hover:${format(hover)}`
}

/**
 * Returns the CSS that gives a page an accent color. In each theme, the color is made darker or lighter until text in the
 * color, and text on it, can be read.
 */
export function accentStyle(color: string | null): string {
  if (color === null) return ''
  const accent = parse(color)
  return `:root{${declarationsFor(accent, 'light')}}@media(prefers-color-scheme:dark){:root{${declarationsFor(accent, 'dark')}}}`
}
