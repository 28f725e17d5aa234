import type { PageCall } from '../../http/pages/page.ts'
import { html, type Html } from '../../lib/html.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { iconUrl } from '../icons/icon.ts'
import type { ApplicationOfPage } from './download-page.db.ts'

/** Returns the path of the application's icon, or of the first icon of a build. */
export function iconPathOf(
  { publicUrl }: PageCall['config'],
  { icon_object_key }: ApplicationOfPage,
  builds: readonly BuildRow[],
): string | undefined {
  const key = icon_object_key ?? builds.find((build) => build.icon_object_key !== null)?.icon_object_key
  const url = iconUrl(publicUrl, key ?? null)
  return url === null ? undefined : new URL(url).pathname
}

/** Renders the icon, or the first letter of the name if there is none. */
export function renderIcon(name: string, path: string | undefined): Html {
  if (path !== undefined) return html`<img class="icon-image" src="${path}" alt="" width="80" height="80" />`
  const [letter = '?'] = name.trim()
  return html`<div class="icon-image letter" aria-hidden="true">${letter.toUpperCase()}</div>`
}
