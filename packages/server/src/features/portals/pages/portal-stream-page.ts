import { Type } from 'typebox'
import { PathId } from '../../../http/endpoint/fields.ts'
import { page, type PageCall } from '../../../http/pages/page.ts'
import { html, type Html } from '../../../lib/html.ts'
import { notFound } from '../../../lib/problem.ts'
import { listBuildsByIds, type BuildRow } from '../../builds/build.db.ts'
import { versionWithNumber } from '../../builds/build.ts'
import { listFilesOfBuilds } from '../../builds/files/file.db.ts'
import type { FileRow } from '../../builds/files/file.ts'
import { explainPortal } from './explain-portal.ts'
import { positionText, readPosition } from './list-position.ts'
import { platformNames, renderOffer } from './listed-files.ts'
import { excerptOf } from './notes-excerpt.ts'
import {
  findStreamOfPortal,
  isBuildInPortalStream,
  listBuildIdsOfStream,
  type ListedFile,
} from './portal-contents.db.ts'
import { conditionalPage, displayDate, portalDocument, renderNothing } from './portal-document.ts'
import { downloadsAt } from './portal-downloads.ts'
import { renderPager } from './portal-front-page.ts'
import { emailDocument } from './portal-sign-in-document.ts'
import { portalParams, requireVisitedPortal, type VisitedPortal } from './visited-portal.ts'

const perPage = 20

const portalStreamParams = Type.Object({
  ...portalParams.properties,
  stream_id: PathId('ID of the stream.'),
})

export const portalBuildParams = Type.Object({
  ...portalStreamParams.properties,
  build_id: PathId('ID of the build.'),
})

/** The builds in a stream, newest first. */
export const portalStreamPage = page({
  method: 'GET',
  path: '/public/portals/:portal_id/streams/:stream_id',
  isForEveryClient: true,
  params: portalStreamParams,
  load: requireVisitedPortal,
  explain: explainPortal,
  async handle({ portal, ...call }) {
    if (!portal.isOpen) return emailDocument(call, portal, {})
    const { db, text } = call
    const stream = await findStreamOfPortal(db, portal.id, call.params.stream_id)
    if (stream === undefined) throw notFound()
    const after = readPosition(call.fields.get('after'))
    const found = await listBuildIdsOfStream(db, stream.id, { after, limit: perPage + 1 })
    const shown = found.slice(0, perPage)
    const ids = shown.map(({ id }) => id)
    const builds = new Map((await listBuildsByIds(db, ids)).map((build) => [build.id, build]))
    const files = Map.groupBy(await listFilesOfBuilds(db, ids), ({ build_id }) => build_id)
    const last = found.length > perPage ? shown.at(-1) : undefined
    const path = `${portal.base}/streams/${stream.id}`
    const older = last && `${path}?after=${positionText({ time: last.created_at, id: last.id })}`
    const entries = ids.flatMap((id) => builds.get(id) ?? [])
    const title = `${stream.application_name} · ${stream.name}`
    const body = html`<h1>${title}</h1>
      ${
        entries.length === 0
          ? renderNothing({ title: stream.name, text: text.portal.noBuilds })
          : html`<ol class="card entries">
              ${entries.map((build) =>
                renderBuild(call, path, { build, files: listedFiles(build, files.get(build.id) ?? []) }),
              )}
            </ol>`
      }
      ${renderPager({ older, newest: after && path }, call)}`
    return {
      ...conditionalPage,
      ...portalDocument(call, portal, {
        title,
        tab: 'releases',
        body,
        redirectOrigins: await call.storage.listClientOrigins(),
      }),
    }
  },
})

type Entry = { build: BuildRow; files: ListedFile[] }

function renderBuild(call: PageCall, streamPath: string, { build, files }: Entry): Html {
  const path = `${streamPath}/builds/${build.id}`
  const name = versionWithNumber(build)
  const excerpt = excerptOf(build.notes)
  const { text } = call
  const meta = [...platformNames(files), ...files.slice(0, 1).map(({ filename }) => filename)].join(' · ')
  return html`<li>
    <div class="entry-text">
      <h2><a href="${path}">${name}</a></h2>
      <p class="meta">${displayDate(build.created_at, text)} · ${meta}</p>
      ${excerpt !== '' && html`<p class="excerpt">${excerpt}</p>`}
    </div>
    ${renderOffer({ files, path, name, label: text.portal.allDownloads(files.length) }, call)}
  </li>`
}

const listedFiles = ({ id, platform, architectures }: BuildRow, files: readonly FileRow[]): ListedFile[] =>
  files.flatMap(({ role, ...file }) =>
    role === 'expansion'
      ? []
      : [
          {
            build_id: id,
            platform,
            architectures,
            file_id: file.id,
            role,
            filename: file.filename,
            filetype: file.filetype,
            size_bytes: file.size_bytes,
          },
        ],
  )

/** Returns the build in the path; throws 404 if the portal does not show it. */
export async function requireBuildOfStream(
  call: Pick<PageCall, 'db'> & { params: { stream_id: string; build_id: string } },
  portal: VisitedPortal,
): Promise<BuildRow> {
  const { stream_id: streamId, build_id: buildId } = call.params
  const isShown = await isBuildInPortalStream(call.db, { portalId: portal.id, streamId, buildId })
  const [build] = isShown ? await listBuildsByIds(call.db, [buildId]) : []
  if (build === undefined) throw notFound()
  return build
}

/** The page of a build in a stream: every file with its size and checksum, and the notes. */
export const portalBuildPage = page({
  method: 'GET',
  path: '/public/portals/:portal_id/streams/:stream_id/builds/:build_id',
  isForEveryClient: true,
  params: portalBuildParams,
  load: requireVisitedPortal,
  explain: explainPortal,
  async handle({ portal, ...call }) {
    if (!portal.isOpen) return emailDocument(call, portal, {})
    const build = await requireBuildOfStream(call, portal)
    const path = `/streams/${call.params.stream_id}/builds/${build.id}`
    const {
      title,
      body,
      redirectOrigins = [],
    } = await downloadsAt(call, portal, path, {
      applicationId: build.application_id,
      notes: build.notes,
      builds: [build],
    })
    return {
      ...conditionalPage,
      ...portalDocument(call, portal, { title, tab: 'releases', body, redirectOrigins }),
    }
  },
})
