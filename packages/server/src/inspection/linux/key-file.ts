/** Returns the keys of a group in a key file, such as `[Desktop Entry]` in a desktop file. */
export function readKeyFile(text: string, group: string): Map<string, string> {
  const entries = new Map<string, string>()
  let isInGroup = false
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('[')) {
      if (isInGroup) break
      isInGroup = line.trimEnd() === `[${group}]`
      continue
    }
    const equals = line.indexOf('=')
    if (isInGroup && equals > 0) entries.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim())
  }
  return entries
}
