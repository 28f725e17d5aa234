import { shownTimeZone } from '../../api/browser.ts'

// The server draws pages for people in many time zones.
const maxZones = 20

/** Returns a function that formats dates in the time zone of the person, which the server learns with each page. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return (date) => {
    const timeZone = shownTimeZone()
    let format = formats.get(timeZone)
    if (format === undefined) {
      if (formats.size >= maxZones) formats.clear()
      format = new Intl.DateTimeFormat('en', { ...options, ...(timeZone === undefined ? {} : { timeZone }) })
      formats.set(timeZone, format)
    }
    return format.format(date)
  }
}
