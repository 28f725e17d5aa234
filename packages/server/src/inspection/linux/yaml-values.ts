const maxLines = 100_000

/**
 * Returns the texts of the keys at the top level of a YAML document: one for a scalar, and one for each scalar in a list.
 * Supports what tools write into manifests of packages: plain and quoted scalars on one line, and lists in both styles.
 */
export function readTopLevel(text: string): Map<string, string[]> {
  const values = new Map<string, string[]>()
  let current: string[] = []
  for (const line of text.split(/\r?\n/, maxLines)) {
    const key = /^(["']?)([\w-]+)\1:(?:[ \t]+(.*))?$/.exec(line)
    if (key !== null) {
      current = scalarsIn((key[3] ?? '').trim())
      values.set(key[2] ?? '', current)
      continue
    }
    const item = /^[ ]*-[ \t]+(.*)$/.exec(line)
    if (item !== null) current.push(...scalarsIn((item[1] ?? '').trim()))
    else if (/^[^\s#]/.test(line)) current = []
  }
  return values
}

/** Returns the scalar, or those in a list such as `[amd64, arm64]`. Returns nothing for nested structures. */
function scalarsIn(value: string): string[] {
  if (value.startsWith('[')) {
    const end = value.indexOf(']')
    return value
      .slice(1, end < 0 ? value.length : end)
      .split(',')
      .flatMap((item) => scalarOf(item.trim()) ?? [])
  }
  return scalarOf(value) ?? []
}

function scalarOf(value: string): string[] | undefined {
  if (value === '' || /^[#{&*!|>]/.test(value)) return undefined
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)
  if (double !== null) return [unescaped(double[1] ?? '')]
  const single = /^'((?:[^']|'')*)'/.exec(value)
  if (single !== null) return [(single[1] ?? '').replaceAll("''", "'")]
  return [value.replace(/\s+#.*$/, '')]
}

/** Replaces the escapes that JSON and YAML have in common. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/g,
    (_, long, short, character: string) => {
      const code: unknown = long ?? short
      return typeof code === 'string' ? String.fromCodePoint(Number.parseInt(code, 16)) : character
    },
  )
}
