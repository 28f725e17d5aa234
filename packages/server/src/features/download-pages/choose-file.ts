import { platformsOf } from '../../catalog/device-platforms.ts'
import { platformResource } from '../../catalog/platforms.ts'
import { symbol } from '../../http/endpoint/symbols.ts'
import type { VisitorText } from '../../http/pages/text/english.ts'
import type { Device, DeviceDetails } from '../../lib/device.ts'
import { html, type Html } from '../../lib/html.ts'
import { sizeString } from '../../lib/sizes.ts'
import type { FileRow } from '../builds/files/file.ts'
import { filesOf, type BuildWithFiles } from './build-files.ts'
import { byFitness, findPreferred } from './fitness.ts'
import { installSteps, isSplitPackage } from './install-steps.ts'
import { renderIosButton, renderIosInstall } from './ios-install.ts'
import type { IosVisit } from './ios-state.ts'
import type { Obstacles } from './obstacles.ts'
import { architectureNames, packageLine } from './package-facts.ts'

/** The platforms whose files are installed on the device that opens the page. */
const installablePlatforms = new Set(Object.values(platformsOf).flat())

/** The number of files for no platform that are listed together with files for platforms. */
const maxGenericFiles = 4

export type Choice = { of: BuildWithFiles; file: FileRow }

export type Choices = {
  /** The file for the visitor's device, or the only one. */
  main?: Choice
  /** Whether the main file is for the visitor's device, as far as that is known. */
  isForDevice: boolean
  /** The files for the visitor's device if there are several builds for it. */
  forDevice: Choice[]
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
export function choicesOf(
  builds: readonly BuildWithFiles[],
  device: Device,
  details: DeviceDetails = {},
): Choices {
  const choicesIn = (some: readonly BuildWithFiles[]): Choice[] =>
    some.flatMap((of) => filesOf(of).map((file) => ({ of, file })))
  const all = choicesIn(builds)
  const matching = withoutBundles(
    builds.filter(({ build }) => platformsOf[device].includes(build.platform)),
  ).toSorted(byFitness(device, details))
  const preferred = findPreferred(matching, device, details)
  const [best = builds[0]] = preferred === undefined ? matching : [preferred]
  if (best === undefined || (matching.length === 0 && builds.length > 1))
    return { isForDevice: false, forDevice: [], others: all }
  if (matching.length > 1 && preferred === undefined) {
    const others = builds.filter((build) => !matching.includes(build))
    return { isForDevice: true, forDevice: choicesIn(matching), others: choicesIn(others) }
  }
  const file = device === 'android' ? (best.universalApk ?? best.primary) : best.primary
  if (device === 'android' && isAppBundle(file))
    return { isForDevice: false, forDevice: [], others: all, isOnlyBundle: true }
  const { platform } = best.build
  const isForDevice = matching.length > 0 || device === 'unknown' || !installablePlatforms.has(platform)
  const rest = builds.filter((build) => !matching.includes(build))
  const others = choicesIn([...matching, ...rest]).filter((choice) => choice.file !== file)
  return { main: { of: best, file }, isForDevice, forDevice: [], others }
}

/** Returns the platform and architectures of a build. */
function platformName({ build }: BuildWithFiles): string {
  const { identifier, short_name } = platformResource(build.platform)
  const names = [identifier === 'generic' ? '' : short_name, architectureNames(build)]
  return names.filter((name) => name !== '').join(' · ')
}

/** The class of a button. */
type Style = 'secondary' | ''

type Page = {
  path: string
  isAvailable: (buildId: string) => boolean
  device: Device
  text: VisitorText
  obstacles: Obstacles
  /** Set if the visitor can install builds on an iPhone or iPad. */
  ios?: IosVisit | undefined
}

/** Returns whether a file is an application that iPhones and iPads install from the page. */
export const isIosApp = ({ of, file }: Choice): boolean =>
  of.build.platform === 'ios' && file.role === 'primary' && /\.ipa$/i.test(file.filename)

/** Returns how to install a file on the visitor's iPhone or iPad, or undefined if it is not for that. */
const iosVisitOf = (choice: Choice, { ios, device, isAvailable }: Page): IosVisit | undefined =>
  device === 'ios' && isIosApp(choice) && isAvailable(choice.of.build.id) ? ios : undefined

/** Renders the main button with what belongs to it, and lists of the other files. */
export function renderChoices(choices: Choices, page: Page): Html {
  const { main, forDevice, others, isOnlyBundle } = choices
  const { download } = page.text
  const [listed, more] = divide(others)
  const lists = html`${
    listed.length > 0 &&
    renderList(listed, page, {
      heading: isOnlyBundle === true ? download.files : headingOf(choices, page.text),
    })
  }
  ${
    more.length > 0 &&
    html`<details class="choices">
      <summary>${download.moreFiles(more.length)}</summary>
      <ul>
        ${more.map((choice) => renderRow(choice, page, 'secondary'))}
      </ul>
    </details>`
  }`
  if (isOnlyBundle === true)
    return html`<p class="hint">${download.onlyBundle}</p>
      ${lists}`
  if (main !== undefined) return html`${renderMain(main, choices, page)} ${lists}`
  const [first] = forDevice
  if (first === undefined) return lists
  const { short_name: platform } = platformResource(first.of.build.platform)
  return html`${renderList(forDevice, page, { heading: download.downloadFor(platform), style: '' })} ${lists}`
}

/** Separates files for no platform from the others if there are too many of them, such as signatures and packages. */
function divide(choices: readonly Choice[]): [listed: Choice[], more: Choice[]] {
  const isGeneric = ({ of }: Choice): boolean => of.build.platform === 'generic'
  const more = choices.filter(isGeneric)
  if (more.length <= maxGenericFiles || more.length === choices.length) return [[...choices], []]
  return [choices.filter((choice) => !isGeneric(choice)), more]
}

function renderMain(main: Choice, { isForDevice }: Choices, page: Page): Html {
  const { download } = page.text
  const { short_name: platform } = platformResource(main.of.build.platform)
  const isForPlatform = platformName(main.of) !== '' && !isAppBundle(main.file)
  const ios = iosVisitOf(main, page)
  const fileName = html`<p class="file-name">
    ${main.file.filename} <span class="size">${displaySize(main.file.size_bytes, page.text)}</span>
  </p>`
  if (ios !== undefined) return renderIosInstall(main.of.build, ios, page.text, fileName)
  const steps = installSteps(main.of.build.platform, main.file.filename, page.text)
  const obstacles = obstaclesOf(main, page)
  return html`${
    obstacles.length > 0 &&
    html`<ul class="hint obstacles">
      ${obstacles.map((obstacle) => html`<li>${obstacle}</li>`)}
    </ul>`
  }
  ${renderForm(main, page, {
    label: html`${symbol('download')} ${isForPlatform ? download.downloadFor(platform) : download.download}`,
  })}
  ${fileName}
  ${
    !isForDevice &&
    html`<p class="hint">
      ${isAppBundle(main.file) ? download.onlyBundle : download.otherDevice(platform, download.devices[page.device])}
    </p>`
  }
  ${
    steps.length > 0 &&
    html`<details>
      <summary>${download.howToInstall}</summary>
      <ol>
        ${steps.map((step) => html`<li>${step}</li>`)}
      </ol>
    </details>`
  }`
}

const renderList = (
  choices: readonly Choice[],
  page: Page,
  { heading, style = 'secondary' }: { heading: string; style?: Style },
): Html =>
  html`<section class="choices">
    <h2>${heading}</h2>
    <ul>
      ${choices.map((choice) => renderRow(choice, page, style))}
    </ul>
  </section>`

function headingOf({ main, forDevice, others }: Choices, { download }: VisitorText): string {
  if (main === undefined) return forDevice.length > 0 ? download.otherDownloads : download.choosePlatform
  return others.every(({ of }) => of === main.of) ? download.otherFiles : download.otherDownloads
}

/** Returns what may prevent the installation of a file. */
const obstaclesOf = ({ of, file }: Choice, { obstacles, text }: Page): readonly string[] => [
  ...(file.role === 'expansion' || isAppBundle(file) ? [] : (obstacles.get(of.build.id) ?? [])),
  ...(isSplitPackage(file.filename) ? [text.obstacles.splitPackage] : []),
]

function renderRow(choice: Choice, page: Page, style: Style): Html {
  const { of, file } = choice
  const { text } = page
  const { download, downloadFile } = text.download
  const name = platformName(of)
  const title = file.role === 'primary' && name !== '' ? name : file.filename
  const detail = title === file.filename ? kindOf(choice, text) : file.filename
  const line = file.role === 'primary' ? packageLine(of.build, text) : ''
  const ios = iosVisitOf(choice, page)
  return html`<li>
    <div>
      <strong>${title} <span class="size">${displaySize(file.size_bytes, text)}</span></strong>
      ${detail !== '' && html`<span>${detail}</span>`} ${line !== '' && html`<span>${line}</span>`}
      ${obstaclesOf(choice, page).map((obstacle) => html`<span class="warning">${obstacle}</span>`)}
    </div>
    ${
      ios === undefined
        ? renderForm(choice, page, { label: download, title: downloadFile(file.filename), style })
        : renderIosButton(of.build, ios, text, file.filename)
    }
  </li>`
}

function kindOf({ of: { build }, file: { role } }: Choice, { download }: VisitorText): string {
  if (role === 'expansion') return download.expansionFile(platformResource(build.platform).short_name)
  return role === 'universal_apk' ? download.universalApk : ''
}

type Button = { label: Html | string; title?: string; style?: Style }

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
