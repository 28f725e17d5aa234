const maxFields = 5_000

/**
 * Returns the values of each field by its lowercase name, in the format of email headers: `Name: value` lines up to the
 * first empty line. A line that starts with a space or tab continues the previous one.
 */
export function readHeaderFields(text: string): Map<string, string[]> {
  const fields = new Map<string, string[]>()
  let current: string[] | undefined
  let count = 0
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || count >= maxFields) break
    count++
    if (/^[ \t]/.test(line)) {
      const last = current?.pop()
      if (last !== undefined) current?.push(`${last}\n${line.trim()}`)
      continue
    }
    const match = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line)
    const [, name, value] = match ?? []
    if (name === undefined || value === undefined) continue
    current = fields.get(name.toLowerCase()) ?? []
    current.push(value)
    fields.set(name.toLowerCase(), current)
  }
  return fields
}
