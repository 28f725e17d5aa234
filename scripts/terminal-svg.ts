type Run = { text: string; column: number; classes: string[] }

const characterWidth = 8.4
const lineHeight = 20
const padding = 18
const titleHeight = 34

const classOf: Record<string, string> = {
  1: 'bold',
  2: 'dim',
  4: 'underline',
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'dim',
}

const style = `
rect{fill:#f5f7fa;stroke:#dde3ea}circle{fill:#cdd5de}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1c2430;white-space:pre}
.bold{font-weight:700}.dim{fill:#5b6675}.underline{text-decoration:underline}.prompt{fill:#0b6bcb}
.red{fill:#b42318}.green{fill:#1a7f4b}.yellow{fill:#8a5a00}.blue{fill:#0b6bcb}.magenta{fill:#8250df}.cyan{fill:#0a7285}
@media(prefers-color-scheme:dark){rect{fill:#171d26;stroke:#2b3440}circle{fill:#3a4552}text{fill:#e4e9f0}.dim{fill:#97a3b3}
.prompt,.blue{fill:#5cb0ff}.red{fill:#ff8a80}.green{fill:#6fd39b}.yellow{fill:#e6b450}.magenta{fill:#c8a1ff}.cyan{fill:#6ad0e0}}
`

const escapeCharacter = '\u001B'
const sequence = new RegExp(`(${escapeCharacter}\\[[\\d;]*m)`)

const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Draws terminal output with ANSI colors as an SVG that supports light and dark mode. */
export function terminalSvg(output: string, columns: number): string {
  const lines = output.split('\n').map(runsOf)
  const width = Math.ceil(columns * characterWidth + 2 * padding)
  const height = titleHeight + lines.length * lineHeight + padding
  const text = lines.flatMap((runs, row) =>
    runs.map(({ text, column, classes }) => {
      const x = (padding + column * characterWidth).toFixed(1)
      const y = titleHeight + row * lineHeight + 14
      // `textLength` keeps columns aligned in fonts with wider or narrower characters.
      const length = (text.length * characterWidth).toFixed(1)
      const names = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
      return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${names}>${escapeXml(text)}</text>`
    }),
  )
  const circles = [0, 1, 2].map((index) => `<circle cx="${padding + 6 + index * 18}" cy="17" r="5.5"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<style>${style}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9"/>
${circles.join('')}
${text.join('\n')}
</svg>
`
}

/** Splits a line at its escape sequences into runs of the same style. The prompt is its own run. */
function runsOf(line: string): Run[] {
  const runs: Run[] = []
  let classes: string[] = []
  let column = 0
  for (const piece of line.split(sequence)) {
    if (sequence.test(piece)) {
      classes = applyCodes(classes, piece.slice(2, -1).split(';'))
      continue
    }
    const text = piece.trimEnd()
    if (text !== '') {
      const isPrompt = column === 0 && text.startsWith('$ ')
      if (isPrompt) runs.push({ text: '$', column, classes: ['prompt'] })
      const skipped = isPrompt ? 2 : text.length - text.trimStart().length
      runs.push({ text: text.slice(skipped), column: column + skipped, classes })
    }
    column += piece.length
  }
  return runs
}

function applyCodes(before: string[], codes: string[]): string[] {
  const classes = new Set(before)
  const clear = (...names: string[]) => {
    for (const name of names) classes.delete(name)
  }
  for (const code of codes) {
    const name = classOf[code]
    if (code === '' || code === '0') classes.clear()
    else if (code === '22') clear('bold', 'dim')
    else if (code === '24') clear('underline')
    else if (code === '39') clear('red', 'green', 'yellow', 'blue', 'magenta', 'cyan')
    else if (name !== undefined) classes.add(name)
  }
  return [...classes]
}
