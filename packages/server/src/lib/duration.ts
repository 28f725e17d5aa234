const clock = /^(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:\.\d+)?$/
const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/i
const spelled =
  /^(?:(\d+) ?d(?:ays?)?)?[ ,]*(?:(\d+) ?h(?:ours?|rs?)?)?[ ,]*(?:(\d+) ?m(?:in(?:ute)?s?)?)?[ ,]*(?:(\d+)(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?$/i

/** `HH:MM:SS` of a duration in any common spelling: 00:15:30, 15:30, 15m30s, 1 h 2 min, PT15M30S, 930. */
export function readDuration(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^\d{1,9}(\.\d+)?$/.test(trimmed)) return format(Math.floor(Number(trimmed)))
  const byClock = clock.exec(trimmed)
  if (byClock !== null) {
    const [, hours = '0', minutes = '0', seconds = '0'] = byClock
    if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
    return format(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }
  const named = iso.exec(trimmed) ?? spelled.exec(trimmed)
  if (named === null || trimmed.toUpperCase() === 'P' || named.slice(1).every((part) => part === undefined))
    return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = named.slice(1).map((part) => Number(part ?? 0))
  return format(days * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

function format(seconds: number): string | undefined {
  if (!Number.isSafeInteger(seconds) || seconds >= 1_000_000 * 3600) return undefined
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
