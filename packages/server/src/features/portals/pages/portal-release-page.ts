import { Type, type Static } from 'typebox'
import { PathId } from '../../../http/endpoint/fields.ts'
import { page, type PageCall } from '../../../http/pages/page.ts'
import { html, type Html } from '../../../lib/html.ts'
import { notFound } from '../../../lib/problem.ts'
import { formatVersion } from '../../../lib/semver.ts'
import { listBuildsOfRelease } from '../../releases/release.db.ts'
import { explainPortal } from './explain-portal.ts'
import { findReleaseOfPortal, type ReleaseOfPortal } from './portal-contents.db.ts'
import { conditionalPage, portalDocument } from './portal-document.ts'
import { downloadsAt } from './portal-downloads.ts'
import { emailDocument } from './portal-sign-in-document.ts'
import { portalParams, requireVisitedPortal, type VisitedPortal } from './visited-portal.ts'

export const portalReleaseParams = Type.Object({
  ...portalParams.properties,
  release_id: PathId('ID of the release.'),
})

type ReleaseCall = Pick<PageCall, 'db'> & { params: Static<typeof portalReleaseParams> }

/** Returns the release in the path; throws 404 if the portal does not show it. */
export async function requireReleaseOfPortal(
  call: ReleaseCall,
  portal: VisitedPortal,
): Promise<ReleaseOfPortal> {
  const release = await findReleaseOfPortal(call.db, portal.id, call.params.release_id)
  if (release === undefined) throw notFound()
  return release
}

/** The page of a release: every file with its size and checksum, the notes, and the permalinks. */
export const portalReleasePage = page({
  method: 'GET',
  path: '/public/portals/:portal_id/releases/:release_id',
  isForEveryClient: true,
  params: portalReleaseParams,
  load: requireVisitedPortal,
  explain: explainPortal,
  async handle({ portal, ...call }) {
    if (!portal.isOpen) return emailDocument(call, portal, {})
    const release = await requireReleaseOfPortal(call, portal)
    const version = formatVersion(release)
    const content = await downloadsAt(call, portal, `/releases/${release.id}`, {
      applicationId: release.application_id,
      release: { title: release.title, version },
      notes: release.notes,
      builds: await listBuildsOfRelease(call.db, release.id),
    })
    const { preview, redirectOrigins } = content
    return {
      ...conditionalPage,
      ...portalDocument(call, portal, {
        title: content.title,
        tab: 'releases',
        body: html`${content.body} ${portal.type === 'public' && renderPermalinks(call, release, version)}`,
        ...(preview === undefined ? {} : { preview }),
        ...(redirectOrigins === undefined ? {} : { redirectOrigins }),
      }),
    }
  },
})

/** Renders the permalink of each platform and architecture. Those of a private portal would need a key. */
function renderPermalinks(
  { config, text }: PageCall,
  release: ReleaseOfPortal,
  version: string,
): Html | false {
  const base = `${config.publicUrl}/d/${release.application_id}/releases/${encodeURIComponent(version)}`
  const platforms = Map.groupBy(
    release.files.filter(({ role }) => role === 'primary'),
    ({ platform }) => platform,
  )
  const links = [...platforms].flatMap(([platform, files]) => [
    `${base}/${platform}`,
    ...(files.length > 1
      ? files.flatMap(({ architectures }) => architectures.map((name) => `${base}/${platform}/${name}`))
      : []),
  ])
  if (links.length === 0) return false
  const { permalinks, permalinksHint } = text.portal
  return html`<details class="card permalinks">
    <summary>${permalinks}</summary>
    <p>${permalinksHint(html`<code>latest</code>`)}</p>
    ${[...new Set(links)].map((link) => html`<pre><code>${link}</code></pre>`)}
  </details>`
}
