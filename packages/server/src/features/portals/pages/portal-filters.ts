import { findPlatform, platformResource, platformSlugs } from '../../../catalog/platforms.ts'
import type { PageCall } from '../../../http/pages/page.ts'
import { html, type Html } from '../../../lib/html.ts'
import type { FilterOfPortal } from './portal-contents.db.ts'
import type { VisitedPortal } from './visited-portal.ts'

type Filters = { search?: string; platform?: string; applicationId?: string }

const maxSearchLength = 100

/** Returns the filters in the query of a page. Values that are not in the list of choices are ignored. */
export function readFilters(fields: PageCall['fields'], applications: readonly FilterOfPortal[]): Filters {
  const search = (fields.get('q') ?? '').toWellFormed().trim().slice(0, maxSearchLength)
  const platform = fields.get('platform') ?? ''
  const applicationId = fields.get('application') ?? ''
  return {
    ...(search === '' ? {} : { search }),
    ...(findPlatform(platform) === undefined ? {} : { platform }),
    ...(applications.some(({ id }) => id === applicationId) ? { applicationId } : {}),
  }
}

/** Returns the path of a list with these filters. */
export function filteredPath(
  path: string,
  { search, platform, applicationId }: Filters,
  position: { after?: string; streams?: string } = {},
): string {
  const query = new URLSearchParams({
    ...(search === undefined ? {} : { q: search }),
    ...(platform === undefined ? {} : { platform }),
    ...(applicationId === undefined ? {} : { application: applicationId }),
    ...position,
  })
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

type Select = { name: string; label: string; all: string; options: readonly (readonly [string, string])[] }

const renderSelect = ({ name, label, all, options }: Select, value: string | undefined): Html =>
  html`<div>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      <option value="">${all}</option>
      ${options.map(
        ([option, text]) =>
          html`<option value="${option}" ${option === value && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`

/** Renders the form that searches and filters a portal. It works without scripts. */
export function renderFilters(
  { text }: Pick<PageCall, 'text'>,
  portal: VisitedPortal,
  { filters, applications }: { filters: Filters; applications: readonly FilterOfPortal[] },
): Html {
  const words = text.portal
  const offered = new Set(applications.flatMap(({ platforms }) => platforms))
  const platforms = platformSlugs
    .filter((slug) => offered.has(slug))
    .map((slug) => [slug, platformResource(slug).short_name] as const)
  const names = applications.map(({ id, name }) => [id, name] as const)
  return html`<form class="filters" method="get" action="${portal.home}" role="search">
    <div>
      <label for="q">${words.searchLabel}</label>
      <input id="q" name="q" type="search" maxlength="${maxSearchLength}" value="${filters.search ?? ''}" />
    </div>
    ${
      platforms.length > 1 &&
      renderSelect(
        { name: 'platform', label: words.platform, all: words.allPlatforms, options: platforms },
        filters.platform,
      )
    }
    ${
      names.length > 1 &&
      renderSelect(
        { name: 'application', label: words.application, all: words.allApplications, options: names },
        filters.applicationId,
      )
    }
    <button class="secondary">${words.show}</button>
  </form>`
}
