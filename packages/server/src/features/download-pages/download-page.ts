import type { DocumentContent } from '../../http/document.ts'
import type { PageCall } from '../../http/page.ts'
import { symbol } from '../../http/symbols.ts'
import { html, type Html } from '../../lib/html.ts'
import { renderUserMarkdown } from '../../lib/user-markdown.ts'
import { storeIdOf } from '../../storage/store-key.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { versionResource } from '../builds/build.ts'
import { iconUrl } from '../icons/icon.ts'
import { filesOf, listBuildsWithFiles, type BuildWithFiles } from './build-files.ts'
import { renderChecksums } from './checksums.ts'
import { choicesOf, renderChoices } from './choose-file.ts'
import { requireApplicationOfPage, type ApplicationOfPage } from './download-page.db.ts'
import { remainingTime } from './remaining-time.ts'

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
}

/** Returns the page that offers the files of a build or release. It works without scripts. */
export async function downloadDocument(
  { db, device, clock, config, storage }: Pick<PageCall, 'db' | 'device' | 'clock' | 'config' | 'storage'>,
  page: DownloadPage,
): Promise<DocumentContent> {
  const { release, notes, remark } = page
  const application = await requireApplicationOfPage(db, page.applicationId)
  const builds = await listBuildsWithFiles(db, page.builds)
  const version = release?.version ?? nameOfVersion(page.builds[0])
  const iconPath = iconPathOf(config, application, page.builds)
  const body = html`<article class="card">
      <header>
        ${renderIcon(application.name, iconPath)}
        <h1>${application.name}</h1>
        <p class="version">${version}</p>
        ${release !== undefined && !isVersionOnly(release) && html`<p class="subtitle">${release.title}</p>`}
      </header>
      ${
        builds.length === 0
          ? html`<p class="hint">There is nothing to download at the moment. Try again later.</p>`
          : renderChoices(choicesOf(builds, device), page, device)
      }
      <dl class="facts">${factsOf(page, application, clock.now())}</dl>
      ${remark !== undefined && html`<p class="small">${remark}</p>`}
    </article>
    ${notes !== null && notes.trim() !== '' && renderNotes(notes)} ${renderChecksums(builds, device)}`
  const title = `${application.name}${version === '' ? '' : ` ${version}`}`
  const redirectOrigins = await originsOf(storage, builds)
  return { title, body, redirectOrigins, ...(iconPath === undefined ? {} : { iconPath }) }
}

/** Returns the origins to which downloads of the files are redirected. */
async function originsOf(storage: PageCall['storage'], builds: readonly BuildWithFiles[]): Promise<string[]> {
  const keys = builds.flatMap(filesOf).map(({ object_key }) => object_key)
  const oneOfEachStore = new Map(keys.map((key) => [storeIdOf(key), key])).values()
  const lists = await Promise.all([...oneOfEachStore].map((key) => storage.listClientOrigins(key)))
  return [...new Set(lists.flat())]
}

/** Returns the path of the application's icon, or of the first icon of a build. */
function iconPathOf(
  { publicUrl }: PageCall['config'],
  { icon_object_key }: ApplicationOfPage,
  builds: readonly BuildRow[],
): string | undefined {
  const key = icon_object_key ?? builds.find((build) => build.icon_object_key !== null)?.icon_object_key
  const url = iconUrl(publicUrl, key ?? null)
  return url === null ? undefined : new URL(url).pathname
}

/** Returns the version and build number of a build. */
const nameOfVersion = (build: BuildRow | undefined): string => {
  if (build === undefined) return ''
  const { version } = versionResource(build)
  return build.build_number === null ? version : `${version} (${build.build_number})`
}

const isVersionOnly = ({ title, version }: { title: string; version: string }): boolean =>
  title.replace(/^(version|v|release)?\s*/i, '') === version

function renderIcon(name: string, path: string | undefined): Html {
  if (path !== undefined) return html`<img class="icon-image" src="${path}" alt="" width="80" height="80" />`
  const [letter = '?'] = name.trim()
  return html`<div class="icon-image letter" aria-hidden="true">${letter.toUpperCase()}</div>`
}

function factsOf(
  { expiresAt, downloadsLeft }: DownloadPage,
  { workspace_name }: ApplicationOfPage,
  now: Date,
): Html[] {
  const facts: [string, Html | string][] = [['Shared by', workspace_name]]
  if (expiresAt !== null)
    facts.push([
      'Expires',
      html`<time datetime="${expiresAt}" title="${expiresAt}"
        >${remainingTime(now, new Date(expiresAt))}</time
      >`,
    ])
  if (downloadsLeft !== null) facts.push(['Downloads left', downloadsLeft.toLocaleString('en-US')])
  return facts.map(
    ([label, value]) =>
      html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`,
  )
}

const renderNotes = (notes: string): Html =>
  html`<section class="card">
    <h2>What’s new</h2>
    <div class="notes">${renderUserMarkdown(notes)}</div>
  </section>`

/** Returns the form that asks for the password of a link. */
export function passwordDocument({ path, error }: { path: string; error?: string }): DocumentContent {
  const body = html`<form class="card notice" method="post" action="${path}">
    <div class="symbol">${symbol('lock')}</div>
    <h1>Enter the password</h1>
    <p>This download is protected. The person who shared it can tell you the password.</p>
    <label for="password">Password</label>
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
    <button>Continue</button>
  </form>`
  return { title: 'Enter the password', body }
}
