const clock = /^(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:\.\d+)?$/
const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?)?$/i
const spelled =
  /^(?:(\d+) ?d(?:ays?)?)?[ ,]*(?:(\d+) ?h(?:ours?|rs?)?)?[ ,]*(?:(\d+) ?m(?:in(?:ute)?s?)?)?[ ,]*(?:(\d+)(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?$/i

/**
 * Converts a duration in a common notation (15:30, 15m30s, 1 h 2 min, PT15M30S, 930) to `HH:MM:SS`. Returns undefined
 * if the text is not a duration.
 */
export function readDuration(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^\d{1,9}(\.\d+)?$/.test(trimmed)) return format(Math.floor(Number(trimmed)))
  const clockMatch = clock.exec(trimmed)
  if (clockMatch !== null) {
    const [, hours = '0', minutes = '0', seconds = '0'] = clockMatch
    if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
    return format(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
  }
  const unitMatch = iso.exec(trimmed) ?? spelled.exec(trimmed)
  if (
    unitMatch === null ||
    trimmed.toUpperCase() === 'P' ||
    unitMatch.slice(1).every((part) => part === undefined)
  )
    return undefined
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = unitMatch.slice(1).map((part) => Number(part ?? 0))
  return format(days * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

function format(seconds: number): string | undefined {
  if (!Number.isSafeInteger(seconds) || seconds >= 1_000_000 * 3600) return undefined
  const twoDigits = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
}
