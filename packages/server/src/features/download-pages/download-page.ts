import { Type, type Static } from 'typebox'
import { platformResource } from '../../catalog/platforms.ts'
import type { Executor } from '../../database/transaction.ts'
import { Nullable, Timestamp } from '../../http/endpoint/fields.ts'
import { symbol } from '../../http/endpoint/symbols.ts'
import type { DocumentContent } from '../../http/pages/document.ts'
import type { PageCall } from '../../http/pages/page.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import { renderUserMarkdown } from '../../http/pages/user-markdown.ts'
import { deviceDetailsOf } from '../../lib/device.ts'
import { html, type Html } from '../../lib/html.ts'
import { isVersionTitle } from '../../lib/semver.ts'
import { sizeString } from '../../lib/sizes.ts'
import { storeIdOf } from '../../storage/custom/store-key.ts'
import type { BuildRow } from '../builds/build.db.ts'
import {
  Processing,
  processingOf,
  versionFields,
  versionResource,
  versionWithNumber,
} from '../builds/build.ts'
import { listFilesOfBuilds } from '../builds/files/file.db.ts'
import { File, type FileRow } from '../builds/files/file.ts'
import { Platform } from '../platforms/platform.ts'
import { iconPathOf, renderIcon } from './application-icon.ts'
import { filesOf, listBuildsWithFiles, type BuildWithFiles } from './build-files.ts'
import { renderChecksums, type Commands } from './checksums.ts'
import { choicesOf, displaySize, isIosApp, renderChoices, type Choices } from './choose-file.ts'
import { requireApplicationOfPage, type ApplicationOfPage } from './download-page.db.ts'
import { visitOnIos, type IosInstallation } from './ios-state.ts'
import { linkFacts, renderFacts } from './link-facts.ts'
import { findObstacles } from './obstacles.ts'
import { packageFacts, type Fact } from './package-facts.ts'
import { renderPhoneCode } from './phone-code.ts'

type DownloadPage = {
  applicationId: string
  /** Set if the page shows a release. */
  release?: { title: string; version: string }
  /** Markdown. */
  notes: string | null
  builds: readonly BuildRow[]
  /** The path of the page, which its forms extend with `/download`. */
  path: string
  expiresAt: string | null
  /** `null` if the number of downloads is not limited. */
  downloadsLeft: number | null
  /** Returns whether the visitor may download a build. */
  isAvailable: (buildId: string) => boolean
  /** What a visitor should know about the link, such as that it is personal. */
  remark?: string
  /** The path of the form with which visitors send feedback; undefined if feedback is turned off. */
  feedbackPath?: string
  /** How visitors install builds on iPhones and iPads. */
  ios?: IosInstallation
  /** The absolute URL of the page. */
  url: string
  /** Whether previews of the page may be shown. */
  hasPreview: boolean
  commands: Commands
  /** The email address to which the link was sent, if it is personal. */
  recipient?: string
}

type DownloadCall = Pick<
  PageCall,
  'db' | 'device' | 'hints' | 'fields' | 'clock' | 'config' | 'storage' | 'text' | 'secretBox' | 'userAgent'
>

/** Returns the page that offers the files of a build or release. It works without scripts. */
export async function downloadDocument(call: DownloadCall, page: DownloadPage): Promise<DocumentContent> {
  const { db, clock, config, storage, text } = call
  // An iPad reports itself as a Mac, so its owner chooses the page for it.
  const isIpad = call.device === 'macos' && call.fields.get('device') === 'ios'
  const device = isIpad ? 'ios' : call.device
  const { release, notes, remark, feedbackPath } = page
  const application = await requireApplicationOfPage(db, page.applicationId)
  const builds = await listBuildsWithFiles(db, page.builds)
  const [first] = page.builds
  const version = release?.version ?? (first === undefined ? '' : versionWithNumber(first))
  const deviceDetails = deviceDetailsOf(call.userAgent, call.hints)
  const choices = choicesOf(builds, device, deviceDetails)
  const ios = page.ios && (await visitOnIos(call, page.builds, page.ios))
  const obstacles = await findObstacles({ db, text, deviceDetails }, page.builds, page)
  const isForPhones = page.builds.some(({ platform }) => ['android', 'ios'].includes(platform))
  const iconPath = iconPathOf(config, application, page.builds)
  const body = html`<article class="card">
      <header>
        ${renderIcon(application.name, iconPath)}
        <h1>${application.name}</h1>
        <p class="version">${version}</p>
        ${release !== undefined && !isVersionTitle(release) && html`<p class="subtitle">${release.title}</p>`}
      </header>
      ${
        builds.length === 0
          ? html`<p class="hint">${text.download.nothing}</p>`
          : renderChoices(choices, { ...page, device, text, obstacles, ios })
      }
      ${
        ios !== undefined &&
        device === 'macos' &&
        builds.some((of) => isIosApp({ of, file: of.primary })) &&
        html`<p class="small"><a href="${page.path}?device=ios">${text.ios.onIpad}</a></p>`
      }
      <dl class="facts">
        ${renderFacts([...factsOf(choices, text), ...linkFacts(page, application, { now: clock.now(), text })])}
      </dl>
      ${remark !== undefined && html`<p class="small">${remark}</p>`}
      ${
        feedbackPath !== undefined &&
        html`<a class="button secondary" href="${feedbackPath}">${text.feedback.link}</a>`
      }
    </article>
    ${isForPhones && renderPhoneCode(page.url, call)}
    ${notes !== null && notes.trim() !== '' && renderNotes(notes, text)}
    ${renderChecksums(builds, { ...page, device, text })}`
  const title = `${application.name}${version === '' ? '' : ` ${version}`}`
  const redirectOrigins = await originsOf(storage, builds)
  const preview = page.hasPreview && {
    siteName: application.workspace_name,
    title,
    description: describePage(page, builds, { ...application, text }),
    url: page.url,
    ...(iconPath === undefined ? {} : { imageUrl: new URL(iconPath, config.publicUrl).href }),
  }
  return {
    title,
    body,
    redirectOrigins,
    ...(iconPath === undefined ? {} : { iconPath }),
    ...(preview === false ? {} : { preview }),
  }
}

/** Returns what a preview says about the page, such as `Android · 84.2 MB · Shared by Acme`. */
function describePage(
  { release }: DownloadPage,
  builds: readonly BuildWithFiles[],
  { workspace_name, text }: ApplicationOfPage & { text: VisitorText },
): string {
  const platforms = builds.map(({ build }) => platformResource(build.platform))
  const names = platforms.flatMap(({ identifier, short_name }) =>
    identifier === 'generic' ? [] : [short_name],
  )
  const [only, ...more] = builds
  return [
    release === undefined || isVersionTitle(release) ? '' : release.title,
    [...new Set(names)].join(', '),
    only === undefined || more.length > 0 ? '' : displaySize(only.primary.size_bytes, text),
    `${text.download.sharedBy} ${workspace_name}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

/** Returns the origins to which downloads of the files are redirected. */
async function originsOf(storage: PageCall['storage'], builds: readonly BuildWithFiles[]): Promise<string[]> {
  const keys = builds.flatMap(filesOf).map(({ object_key }) => object_key)
  const oneOfEachStore = new Map(keys.map((key) => [storeIdOf(key), key])).values()
  const lists = await Promise.all([...oneOfEachStore].map((key) => storage.listClientOrigins(key)))
  return [...new Set(lists.flat())]
}

/** Returns the facts of the package that the page offers first, or of the only one. */
function factsOf({ main, others }: Choices, text: VisitorText): Fact[] {
  const builds = new Set([...(main === undefined ? [] : [main]), ...others].map(({ of }) => of.build))
  const [only, ...more] = builds
  const build = main?.of.build ?? (more.length === 0 ? only : undefined)
  return build === undefined ? [] : packageFacts(build, text)
}

const renderNotes = (notes: string, { download }: VisitorText): Html =>
  html`<section class="card">
    <h2>${download.whatsNew}</h2>
    <div class="notes">${renderUserMarkdown(notes)}</div>
  </section>`

/** Returns the form that asks for the password of a link. */
export function passwordDocument(
  { path, error }: { path: string; error?: string },
  { password: text }: VisitorText,
): DocumentContent {
  const body = html`<form class="card notice" method="post" action="${path}">
    <div class="symbol">${symbol('lock')}</div>
    <h1>${text.title}</h1>
    <p>${text.text}</p>
    <label for="password">${text.label}</label>
    <input
      id="password"
      name="password"
      type="password"
      maxlength="72"
      autocomplete="off"
      required
      autofocus
      ${error !== undefined && html`aria-invalid="true" aria-describedby="error"`}
    />
    ${error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`}
    <button>${text.submit}</button>
  </form>`
  return { title: text.title, body }
}

const SharedFile = Type.Object(
  {
    id: Type.String({ description: 'ID of the file.' }),
    filename: Type.String(),
    size_bytes: File.properties.size_bytes,
    checksum_md5: File.properties.checksum_md5,
    checksum_sha256: File.properties.checksum_sha256,
  },
  { title: 'SharedFile' },
)

// A build as public links show it: without its stream, labels, CI run and repository.
export const SharedBuild = Type.Object(
  {
    id: Type.String(),
    ...versionFields,
    build_number: Nullable(Type.String()),
    platform: Platform,
    notes: Nullable(Type.String()),
    size_total_bytes: Type.Integer(),
    size_total_string: Type.String(),
    processing: Processing,
    files: Type.Array(SharedFile, {
      description: 'The files that can be downloaded, starting with the primary file.',
    }),
    created_at: Timestamp,
  },
  { title: 'SharedBuild' },
)

/** Returns the builds of a public link with their files. */
export async function sharedBuildResources(
  db: Executor,
  rows: readonly BuildRow[],
): Promise<Static<typeof SharedBuild>[]> {
  const files = await listFilesOfBuilds(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) =>
    sharedBuildResource(
      row,
      files.filter(({ build_id }) => build_id === row.id),
    ),
  )
}

function sharedBuildResource(row: BuildRow, files: readonly FileRow[]): Static<typeof SharedBuild> {
  const { id, build_number, notes, size_total_bytes, created_at } = row
  return {
    id,
    ...versionResource(row),
    build_number,
    platform: platformResource(row.platform),
    notes,
    size_total_bytes,
    size_total_string: sizeString(size_total_bytes),
    processing: processingOf(row),
    files: files.map((file) => ({
      id: file.id,
      filename: file.filename,
      size_bytes: file.size_bytes,
      checksum_md5: file.checksum_md5,
      checksum_sha256: file.checksum_sha256,
    })),
    created_at,
  }
}
