const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** `3.39 MB`: 1024 steps and two decimals, as the service writes sizes. */
export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  // 1023.995 would be rounded to 1024.00
  while (value >= 1023.995 && unit < sizeUnits.length - 1) {
    value /= 1024
    unit++
  }
  return unit === 0 ? `${value} B` : `${value.toFixed(2)} ${sizeUnits[unit]}`
}

/** `8 s`, `2 min 05 s`, `1 h 03 min`. */
export function timeText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${pad(whole % 60)} s`
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** Text from elsewhere as a terminal may get it: control and direction characters are taken out. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}
