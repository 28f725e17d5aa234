import { serviceUrl, storedText } from './browser.ts'
import { basePath } from './client.ts'

/** Where the browser keeps the columns of the builds list that are hidden, as JSON. */
export const hiddenColumnsKey = 'quayside.builds.hidden-columns'

const maxAgeSeconds = 400 * 24 * 60 * 60

/** Sets the cookie with which the server draws pages as this browser does. packages/server/src/site/console/page-view.ts reads it. */
export function saveView(hiddenColumns: readonly string[] = storedColumns()): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const secure = serviceUrl.startsWith('https:') ? '; Secure' : ''
  document.cookie = `quayside_view=${timeZone}!${hiddenColumns.join('.')}; Path=${basePath}/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`
}

function storedColumns(): string[] {
  try {
    const stored: unknown = JSON.parse(storedText(hiddenColumnsKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
