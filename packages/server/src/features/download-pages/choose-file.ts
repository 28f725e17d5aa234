import { platformResource } from '../../catalog/platforms.ts'
import { symbol } from '../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { Device } from '../../lib/device.ts'
import { html, type Html } from '../../lib/html.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { FileRow } from '../builds/files/file.ts'
import { filesOf, type BuildWithFiles } from './build-files.ts'
import { installSteps } from './install-steps.ts'
import { architectureNames, packageLine } from './package-facts.ts'

const linuxPlatforms = 'linux debian redhat gentoo arch opensuse alpine nixos slackware void mageia'.split(
  ' ',
)
const platformsOf: Record<Device, readonly string[]> = {
  android: ['android'],
  ios: ['ios'],
  windows: ['windows'],
  macos: ['macos'],
  linux: linuxPlatforms,
  unknown: [],
}
/** The platforms whose files are installed on the device that opens the page. */
const installablePlatforms = new Set(Object.values(platformsOf).flat())

type Choice = { of: BuildWithFiles; file: FileRow }

export type Choices = {
  /** The file for the visitor's device, or the only one. */
  main?: Choice
  /** Whether the main file is for the visitor's device, as far as that is known. */
  isForDevice: boolean
  others: Choice[]
  /** Whether the files for the device contain only an app bundle, which app stores turn into what a device can install. */
  isOnlyBundle?: boolean
}

const isAppBundle = ({ filename }: FileRow): boolean => /\.aab$/i.test(filename)

/** Returns the builds without app bundles, unless there are only app bundles. */
function withoutBundles(builds: readonly BuildWithFiles[]): readonly BuildWithFiles[] {
  const others = builds.filter(({ primary }) => !isAppBundle(primary))
  return others.length > 0 ? others : builds
}

/** Returns which file to offer first on the visitor's device, and the other files. */
export function choicesOf(builds: readonly BuildWithFiles[], device: Device): Choices {
  const all = builds.flatMap((of) => filesOf(of).map((file) => ({ of, file })))
  const matching = withoutBundles(builds.filter(({ build }) => platformsOf[device].includes(build.platform)))
  const [best = builds[0]] = matching
  if (best === undefined || (matching.length !== 1 && builds.length > 1))
    return { isForDevice: false, others: all }
  const file = device === 'android' ? (best.universalApk ?? best.primary) : best.primary
  if (device === 'android' && isAppBundle(file))
    return { isForDevice: false, others: all, isOnlyBundle: true }
  const { platform } = best.build
  const isForDevice = matching.length === 1 || device === 'unknown' || !installablePlatforms.has(platform)
  return { main: { of: best, file }, isForDevice, others: all.filter((choice) => choice.file !== file) }
}

/** Returns the platform and architectures of a build. */
function platformName({ build }: BuildWithFiles): string {
  const { identifier, short_name } = platformResource(build.platform)
  const names = [identifier === 'generic' ? '' : short_name, architectureNames(build)]
  return names.filter((name) => name !== '').join(' · ')
}

type Page = { path: string; isAvailable: (buildId: string) => boolean; device: Device; text: VisitorText }

/** Renders the main button with what belongs to it, and a list of the other files. */
export function renderChoices({ main, isForDevice, others, isOnlyBundle }: Choices, page: Page): Html {
  const { download } = page.text
  const list =
    others.length > 0 &&
    html`<section class="choices">
      <h2>${isOnlyBundle === true ? download.files : headingOf(main, others, page.text)}</h2>
      <ul>
        ${others.map((choice) => renderRow(choice, page))}
      </ul>
    </section>`
  if (isOnlyBundle === true)
    return html`<p class="hint">${download.onlyBundle}</p>
      ${list}`
  if (main === undefined) return html`${list}`
  const { short_name: platform } = platformResource(main.of.build.platform)
  const isForPlatform = platformName(main.of) !== '' && !isAppBundle(main.file)
  const steps = installSteps(main.of.build.platform, main.file.filename, page.text)
  return html`${renderForm(main, page, {
      label: html`${symbol('download')} ${isForPlatform ? download.downloadFor(platform) : download.download}`,
    })}
    <p class="file-name">
      ${main.file.filename} <span class="size">${displaySize(main.file.size_bytes, page.text)}</span>
    </p>
    ${
      !isForDevice &&
      html`<p class="hint">${download.otherDevice(platform, download.devices[page.device])}</p>`
    }
    ${
      steps.length > 0 &&
      html`<details>
        <summary>${download.howToInstall}</summary>
        <ol>
          ${steps.map((step) => html`<li>${step}</li>`)}
        </ol>
      </details>`
    }
    ${list}`
}

function headingOf(main: Choice | undefined, others: Choice[], { download }: VisitorText): string {
  if (main === undefined) return download.choosePlatform
  return others.every(({ of }) => of === main.of) ? download.otherFiles : download.otherDownloads
}

function renderRow(choice: Choice, page: Page): Html {
  const { of, file } = choice
  const { text } = page
  const { download, downloadFile } = text.download
  const name = platformName(of)
  const title = file.role === 'primary' && name !== '' ? name : file.filename
  const detail = title === file.filename ? kindOf(choice, text) : file.filename
  const line = file.role === 'primary' ? packageLine(of.build, text) : ''
  return html`<li>
    <div>
      <strong>${title} <span class="size">${displaySize(file.size_bytes, text)}</span></strong>
      ${detail !== '' && html`<span>${detail}</span>`} ${line !== '' && html`<span>${line}</span>`}
    </div>
    ${renderForm(choice, page, { label: download, title: downloadFile(file.filename), style: 'secondary' })}
  </li>`
}

function kindOf({ of: { build }, file: { role } }: Choice, { download }: VisitorText): string {
  if (role === 'expansion') return download.expansionFile(platformResource(build.platform).short_name)
  return role === 'universal_apk' ? download.universalApk : ''
}

type Button = { label: Html | string; title?: string; style?: 'secondary' }

function renderForm(
  { of, file }: Choice,
  { path, isAvailable, text }: Page,
  { label, title, style }: Button,
): Html {
  if (!isAvailable(of.build.id))
    return html`<span class="unavailable">${text.download.noDownloadsLeft}</span>`
  return html`<form method="post" action="${path}/download">
    <input type="hidden" name="build_id" value="${of.build.id}" />
    <input type="hidden" name="file_id" value="${file.id}" />
    <button class="${style ?? ''}" ${title !== undefined && html`aria-label="${title}"`}>${label}</button>
  </form>`
}

/** Returns the size with three significant digits, such as `84.2 MB`. */
export function displaySize(sizeBytes: number, { locale }: Pick<VisitorText, 'locale'>): string {
  const [value, unit] = sizeString(sizeBytes).split(' ')
  const options = { maximumSignificantDigits: 3, useGrouping: false }
  return `${Number(value).toLocaleString(locale, options)} ${unit}`
}
