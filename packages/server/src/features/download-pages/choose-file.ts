import { architectureResource } from '../../catalog/architectures.ts'
import { platformResource } from '../../catalog/platforms.ts'
import { symbol } from '../../http/symbols.ts'
import type { Device } from '../../lib/device.ts'
import { html, type Html } from '../../lib/html.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { FileRow } from '../builds/file.ts'
import { filesOf, type BuildWithFiles } from './build-files.ts'
import { installSteps } from './install-steps.ts'

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
const deviceNames: Record<Device, string> = {
  android: 'an Android device',
  ios: 'an iPhone or iPad',
  windows: 'a Windows computer',
  macos: 'a Mac',
  linux: 'a Linux computer',
  unknown: 'this device',
}
/** The platforms whose files are installed on the device that opens the page. */
const installablePlatforms = new Set(Object.values(platformsOf).flat())

type Choice = { of: BuildWithFiles; file: FileRow }

type Choices = {
  /** The file for the visitor's device, or the only one. */
  main?: Choice
  /** Whether the main file is for the visitor's device, as far as that is known. */
  isForDevice: boolean
  others: Choice[]
}

/** Returns which file to offer first on the visitor's device, and the other files. */
export function choicesOf(builds: readonly BuildWithFiles[], device: Device): Choices {
  const all = builds.flatMap((of) => filesOf(of).map((file) => ({ of, file })))
  const matching = builds.filter(({ build }) => platformsOf[device].includes(build.platform))
  const [best = builds[0]] = matching
  if (best === undefined || (matching.length !== 1 && builds.length > 1))
    return { isForDevice: false, others: all }
  const file = device === 'android' ? (best.universalApk ?? best.primary) : best.primary
  const { platform } = best.build
  const isForDevice = matching.length === 1 || device === 'unknown' || !installablePlatforms.has(platform)
  return { main: { of: best, file }, isForDevice, others: all.filter((choice) => choice.file !== file) }
}

/** Returns the platform and architectures of a build. */
function platformName({ build }: BuildWithFiles): string {
  const { identifier, short_name } = platformResource(build.platform)
  const architectures = build.architectures.map((architecture) => architectureResource(architecture).name)
  const names = [identifier === 'generic' ? '' : short_name, architectures.join(', ')]
  return names.filter((name) => name !== '').join(' · ')
}

type Page = { path: string; isAvailable: (buildId: string) => boolean }

/** Renders the main button with what belongs to it, and a list of the other files. */
export function renderChoices({ main, isForDevice, others }: Choices, page: Page, device: Device): Html {
  const list =
    others.length > 0 &&
    html`<section class="choices">
      <h2>${headingOf(main, others)}</h2>
      <ul>
        ${others.map((choice) => renderRow(choice, page))}
      </ul>
    </section>`
  if (main === undefined) return html`${list}`
  const name = platformName(main.of)
  const steps = installSteps(main.of.build.platform, main.file.filename)
  return html`${renderForm(main, page, {
      label: html`${symbol('download')}
      Download${name !== '' && ` for ${platformResource(main.of.build.platform).short_name}`}`,
    })}
    <p class="file-name">
      ${main.file.filename} <span class="size">${displaySize(main.file.size_bytes)}</span>
    </p>
    ${
      !isForDevice &&
      html`<p class="hint">
        This file is for ${platformResource(main.of.build.platform).short_name}, and you are using
        ${deviceNames[device]}. Open this page on the device where you want to install it.
      </p>`
    }
    ${
      steps.length > 0 &&
      html`<details>
        <summary>How to install</summary>
        <ol>
          ${steps.map((step) => html`<li>${step}</li>`)}
        </ol>
      </details>`
    }
    ${list}`
}

function headingOf(main: Choice | undefined, others: Choice[]): string {
  if (main === undefined) return 'Choose your platform'
  return others.every(({ of }) => of === main.of) ? 'Other files of this build' : 'Other downloads'
}

function renderRow(choice: Choice, page: Page): Html {
  const { of, file } = choice
  const name = platformName(of)
  const title = file.role === 'primary' && name !== '' ? name : file.filename
  const detail = title === file.filename ? kindOf(choice) : file.filename
  return html`<li>
    <div>
      <strong>${title} <span class="size">${displaySize(file.size_bytes)}</span></strong>
      ${detail !== '' && html`<span>${detail}</span>`}
    </div>
    ${renderForm(choice, page, { label: 'Download', title: `Download ${file.filename}`, style: 'secondary' })}
  </li>`
}

function kindOf({ of: { build }, file: { role } }: Choice): string {
  if (role === 'expansion') return `Expansion file for ${platformResource(build.platform).short_name}`
  return role === 'universal_apk' ? 'APK for every device' : ''
}

type Button = { label: Html | string; title?: string; style?: 'secondary' }

function renderForm(
  { of, file }: Choice,
  { path, isAvailable }: Page,
  { label, title, style }: Button,
): Html {
  if (!isAvailable(of.build.id)) return html`<span class="unavailable">No downloads left</span>`
  return html`<form method="post" action="${path}/download">
    <input type="hidden" name="build_id" value="${of.build.id}" />
    <input type="hidden" name="file_id" value="${file.id}" />
    <button class="${style ?? ''}" ${title !== undefined && html`aria-label="${title}"`}>${label}</button>
  </form>`
}

/** Returns the size with three significant digits, such as `84.2 MB`. */
function displaySize(sizeBytes: number): string {
  const [value, unit] = sizeString(sizeBytes).split(' ')
  return `${Number(Number(value).toPrecision(3))} ${unit}`
}
