/** Returns a duration with one or two units, such as "8 s", "3 min" or "1 h 5 min". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Returns a duration with one unit, such as "45 s", "3.4 h" or "2.1 d". */
export function formatDuration(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  if (seconds < 3_570) return `${Math.round(seconds / 60)} min`
  const [amount, unit] = seconds < 2 * 86_400 ? [seconds / 3_600, 'h'] : [seconds / 86_400, 'd']
  return `${amount < 9.95 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`
}
