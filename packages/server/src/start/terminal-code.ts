import { encode } from 'uqr'

/** What is known about the terminal to which the server writes. */
export type Terminal = {
  isTTY: boolean | undefined
  columns: number | undefined
  env: Readonly<Record<string, string | undefined>>
}

/** What scanners need around a code, in modules (ISO/IEC 18004). */
const quietZone = 4
/** Black on white in the 256 colors that do not depend on the theme of the terminal. */
const blackOnWhite = '\u001B[38;5;16;48;5;231m'
const reset = '\u001B[0m'

/**
 * Returns the lines of a QR code, with two modules in each character. Returns none in a log, in CI, and in a terminal without
 * colors or with too few columns after the indent.
 */
export function terminalCode(text: string, { isTTY, columns = 0, env }: Terminal, indent: number): string[] {
  const hasColors = env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb'
  if (isTTY !== true || env['CI'] !== undefined || !hasColors) return []
  const { data, size } = encode(text, { ecc: 'L', border: quietZone })
  if (columns < size + indent) return []
  const isDark = (x: number, y: number): boolean => data[y]?.[x] === true
  return Array.from({ length: Math.ceil(size / 2) }, (_, row) => {
    const characters = Array.from({ length: size }, (_cell, x) => {
      const [above, below] = [isDark(x, row * 2), isDark(x, row * 2 + 1)]
      if (above) return below ? '█' : '▀'
      return below ? '▄' : ' '
    })
    return `${blackOnWhite}${characters.join('')}${reset}`
  })
}
