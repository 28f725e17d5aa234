import { serviceUrl } from './browser.ts'

/** Returns the URL of an export from an application. The browser streams the file, however long it is. */
export function exportUrl(
  applicationId: string,
  noun: 'downloads' | 'feedback',
  filter: Readonly<Record<string, string | number>>,
): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return `${serviceUrl}/api/v1/applications/${encodeURIComponent(applicationId)}/${noun}/export?${query.toString()}`
}
