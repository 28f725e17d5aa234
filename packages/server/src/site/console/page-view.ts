import { readCookies } from '../../http/wire/cookies.ts'

/** What a browser has chosen for the pages that it opens. */
export type PageView = { timeZone: string | undefined; hiddenColumns: string[] }

const cookieName = 'quayside_view'
const wellFormed =
  /^([A-Za-z][A-Za-z0-9_+-]{0,31}(?:\/[A-Za-z0-9_+-]{1,32}){0,2})!((?:[a-z]{1,16}(?:\.[a-z]{1,16}){0,9})?)$/

/** Returns the time zone and the hidden columns in a cookie that the console sets. Ignores a cookie that is malformed. */
export function readPageView(cookie: string | undefined): PageView {
  const value = readCookies(cookie).get(cookieName)
  const [, timeZone = '', columns = ''] = wellFormed.exec(value ?? '') ?? []
  if (timeZone === '' || !isTimeZone(timeZone)) return { timeZone: undefined, hiddenColumns: [] }
  return { timeZone, hiddenColumns: columns === '' ? [] : columns.split('.') }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
