import { platformsOf } from '../../../catalog/device-platforms.ts'
import { platformResource, platformSlugs } from '../../../catalog/platforms.ts'
import { symbol } from '../../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../../http/pages/text/english.ts'
import type { Device } from '../../../lib/device.ts'
import { html, type Html } from '../../../lib/html.ts'
import type { ListedFile } from './portal-contents.db.ts'

/** Returns the files of a platform that devices can install: an APK made from an app bundle takes its place. */
function installable(files: readonly ListedFile[]): ListedFile[] {
  const universal = new Set(files.filter(({ role }) => role === 'universal_apk').map((file) => file.build_id))
  return files.filter(({ role, build_id, filename }) =>
    role === 'primary' ? !universal.has(build_id) && !/\.aab$/i.test(filename) : true,
  )
}

/** Returns the only file for the visitor's device, or the only file of all; undefined if the visitor has to choose. */
function fileForDevice(files: readonly ListedFile[], device: Device): ListedFile | undefined {
  const candidates = files.filter(({ platform }) => platformsOf[device].includes(platform))
  const [only, ...more] = installable(candidates.length === 0 && isForOneBuild(files) ? files : candidates)
  return more.length === 0 ? only : undefined
}

const isForOneBuild = (files: readonly ListedFile[]): boolean =>
  new Set(files.map(({ build_id }) => build_id)).size === 1

/** Returns the names of the platforms of files, in the order of the catalog. */
export function platformNames(files: readonly ListedFile[]): string[] {
  const slugs = new Set(files.map(({ platform }) => platform))
  return platformSlugs
    .filter((slug) => slug !== 'generic' && slugs.has(slug))
    .map((slug) => platformResource(slug).short_name)
}

type Offer = {
  files: readonly ListedFile[]
  /** The path of the page with all files. */
  path: string
  /** The path of the form; that of the page with `/download` by default. */
  action?: string
  /** The label of the link to all files. */
  label: string
  /** What is downloaded, for screen readers. */
  name: string
}

/**
 * Renders the download for the visitor's device, if there is exactly one, and the link to all files. An iPhone or iPad
 * installs from the page of the build, which says whether that is possible.
 */
export function renderOffer(
  { files, path, label, name, action = `${path}/download` }: Offer,
  { device, text }: { device: Device; text: VisitorText },
): Html {
  const file = fileForDevice(files, device)
  const all = html`<a href="${path}" aria-label="${`${label}: ${name}`}">${label}</a>`
  if (file === undefined) return html`<div class="entry-action">${all}</div>`
  if (device === 'ios' && file.platform === 'ios' && /\.ipa$/i.test(file.filename))
    return html`<div class="entry-action">
      <a
        class="button"
        href="${action.replace(/\/download$/, '')}"
        aria-label="${`${text.ios.install}: ${name}`}"
        >${text.ios.install}</a
      >
      ${all}
    </div>`
  const { short_name: platform } = platformResource(file.platform)
  const button = file.platform === 'generic' ? text.download.download : text.download.downloadFor(platform)
  return html`<div class="entry-action">
    <form method="post" action="${action}">
      <input type="hidden" name="build_id" value="${file.build_id}" />
      <input type="hidden" name="file_id" value="${file.file_id}" />
      <button aria-label="${`${button}: ${name}`}">${symbol('download')} ${button}</button>
    </form>
    ${all}
  </div>`
}
