import { platformsOf } from '../../../catalog/device-platforms.ts'
import { page, type PageCall, type PageResponse } from '../../../http/pages/page.ts'
import { html, type Html } from '../../../lib/html.ts'
import { formatVersion, isVersionTitle } from '../../../lib/semver.ts'
import { versionWithNumber } from '../../builds/build.ts'
import { explainPortal } from './explain-portal.ts'
import { positionText, readPosition } from './list-position.ts'
import { platformNames, renderOffer } from './listed-files.ts'
import { excerptOf } from './notes-excerpt.ts'
import {
  listFiltersOfPortal,
  listReleasesOfPortal,
  listStreamsOfPortal,
  type FilterOfPortal,
  type ReleaseOfPortal,
  type StreamOfPortal,
} from './portal-contents.db.ts'
import { conditionalPage, displayDate, portalDocument, renderNothing } from './portal-document.ts'
import { filteredPath, readFilters, renderFilters } from './portal-filters.ts'
import { emailDocument } from './portal-sign-in-document.ts'
import { portalParams, requireVisitedPortal, type VisitedPortal } from './visited-portal.ts'

const perPage = 20
const streamsPerPage = 100

/** The front page of a portal: the latest build of each stream, and releases with the download for the visitor's device. */
export const portalFrontPage = page({
  method: 'GET',
  path: '/public/portals/:portal_id',
  isForEveryClient: true,
  params: portalParams,
  load: requireVisitedPortal,
  explain: explainPortal,
  async handle({ portal, ...call }): Promise<PageResponse> {
    if (!portal.isOpen) return emailDocument(call, portal, {})
    const applications = await listFiltersOfPortal(call.db, portal.id)
    const filters = readFilters(call.fields, applications)
    const shown = {
      filters,
      applications,
      after: readPosition(call.fields.get('after')),
      offset: readOffset(call.fields.get('streams')),
    }
    const lists = {
      releases: await loadReleases(call, portal, shown),
      streams: await loadStreams(call, portal, shown),
    }
    const isFiltered = Object.keys(filters).length > 0
    const body = html`${renderFilters(call, portal, { filters, applications })}
    ${renderLists(call, portal, lists)}
    ${lists.releases.shown.length + lists.streams.shown.length === 0 && renderEmpty(call, portal, isFiltered)}`
    return {
      ...conditionalPage,
      ...portalDocument(call, portal, {
        isFront: true,
        tab: 'releases',
        body,
        redirectOrigins: await call.storage.listClientOrigins(),
        ...(portal.type === 'public' ? { preview: previewOf(portal) } : {}),
      }),
    }
  },
})

const previewOf = (portal: VisitedPortal) => ({
  siteName: portal.name,
  title: portal.name,
  description: portal.description ?? '',
  url: portal.url,
})

/** Returns the number of streams before the page. */
const readOffset = (text = ''): number => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0)

type Shown = {
  filters: ReturnType<typeof readFilters>
  applications: readonly FilterOfPortal[]
  after: ReturnType<typeof readPosition>
  offset: number
}

const contentsOf = ({ search, applicationId, platform }: Shown['filters']) => ({
  search,
  applicationId,
  platforms: platform === undefined ? undefined : [platform],
})

/** Returns the releases of the page. Further pages of streams contain none. */
async function loadReleases(
  call: PageCall,
  portal: VisitedPortal,
  { filters, applications, after, offset }: Shown,
): Promise<List<ReleaseOfPortal>> {
  if (offset > 0 || !applications.some((application) => application.has_releases))
    return { shown: [], pager: false }
  const limit = perPage + 1
  const found = await listReleasesOfPortal(call.db, portal.id, { ...contentsOf(filters), after, limit })
  const shown = found.slice(0, perPage)
  const last = found.length > perPage ? shown.at(-1) : undefined
  const position = last && positionText({ time: last.published_at, id: last.id })
  const older = position && filteredPath(portal.home, filters, { after: position })
  const newest = after && filteredPath(portal.home, filters)
  return { shown, pager: renderPager({ older, newest }, call) }
}

/** Returns the streams of the page. Further pages of releases contain none. */
async function loadStreams(
  call: PageCall,
  portal: VisitedPortal,
  { filters, applications, after, offset }: Shown,
): Promise<List<StreamOfPortal>> {
  if (after !== undefined || !applications.some((application) => application.has_streams))
    return { shown: [], pager: false }
  const found = await listStreamsOfPortal(call.db, portal.id, {
    ...contentsOf(filters),
    preferred: platformsOf[call.device],
    offset,
    limit: streamsPerPage + 1,
  })
  const older =
    found.length > streamsPerPage
      ? filteredPath(portal.home, filters, { streams: String(offset + streamsPerPage) })
      : undefined
  const newest = offset > 0 ? filteredPath(portal.home, filters) : undefined
  const { moreStreams: more, firstStreams: first } = call.text.portal
  return {
    shown: found.slice(0, streamsPerPage),
    pager: renderPager({ older, newest }, { text: { portal: { more, newest: first } } }),
  }
}

type List<Entry> = { shown: readonly Entry[]; pager: Html | false }
type Lists = { releases: List<ReleaseOfPortal>; streams: List<StreamOfPortal> }

function renderLists(
  call: PageCall,
  portal: VisitedPortal,
  { releases: { shown: releases, pager }, streams: { shown: streams, pager: streamPager } }: Lists,
): Html {
  const { text } = call
  const hasBoth = releases.length > 0 && streams.length > 0
  return html`${
    releases.length > 0 &&
    html`${hasBoth && html`<h2 class="section-title">${text.portal.releases}</h2>`}
      <ol class="card entries">
        ${releases.map((release) => renderRelease(call, portal, release))}
      </ol>`
  }
  ${pager}
  ${
    streams.length > 0 &&
    html`${hasBoth && html`<h2 class="section-title">${text.portal.latestBuilds}</h2>`}
      <ul class="card entries">
        ${streams.map((stream) => renderStream(call, portal, stream))}
      </ul>`
  }
  ${streamPager}`
}

function renderRelease(call: PageCall, portal: VisitedPortal, release: ReleaseOfPortal): Html {
  const { text } = call
  const { id, files, notes, title, application_name } = release
  const version = formatVersion(release)
  const path = `${portal.base}/releases/${id}`
  const name = `${application_name} ${version}`
  const excerpt = excerptOf(notes)
  const meta = platformNames(files).join(', ')
  return html`<li>
    <div class="entry-text">
      <h2><a href="${path}">${name}</a></h2>
      <p class="meta">
        ${displayDate(release.published_at, text)}${meta !== '' && ` · ${meta}`}${!isVersionTitle({ title, version }) && ` · ${title}`}
      </p>
      ${excerpt !== '' && html`<p class="excerpt">${excerpt}</p>`}
    </div>
    ${renderOffer({ files, path, name, label: text.portal.allDownloads(files.length) }, call)}
  </li>`
}

function renderStream(call: PageCall, portal: VisitedPortal, stream: StreamOfPortal): Html {
  const { text } = call
  const { id, latest, application_name, description } = stream
  const path = `${portal.base}/streams/${id}`
  const name = `${application_name} ${versionWithNumber(latest)}`
  const action = `${path}/builds/${latest.files[0]?.build_id ?? ''}/download`
  const meta = [stream.name, ...platformNames(latest.files)].join(' · ')
  return html`<li>
    <div class="entry-text">
      <h2><a href="${path}">${name}</a></h2>
      <p class="meta">${displayDate(latest.created_at, text)} · ${meta}</p>
      ${description !== null && description.trim() !== '' && html`<p class="excerpt">${description}</p>`}
    </div>
    ${renderOffer({ files: latest.files, path, action, name, label: text.portal.buildsOf(stream.name) }, call)}
  </li>`
}

function renderEmpty({ text }: PageCall, portal: VisitedPortal, isFiltered: boolean): Html {
  const { empty, noMatch } = text.portal
  return isFiltered
    ? renderNothing(noMatch, { label: noMatch.reset, path: portal.home })
    : renderNothing(empty)
}

/** Renders the links to the next entries of a list and back to its beginning. */
export function renderPager(
  { older, newest }: { older?: string | undefined; newest?: string | undefined },
  { text }: { text: { portal: Pick<PageCall['text']['portal'], 'more' | 'newest'> } },
): Html | false {
  if (older === undefined && newest === undefined) return false
  return html`<p class="pager">
    ${newest !== undefined && html`<a class="button secondary" href="${newest}">${text.portal.newest}</a>`}
    ${older !== undefined && html`<a class="button secondary" href="${older}" rel="next">${text.portal.more}</a>`}
  </p>`
}
