import type { Adapter, Answer, Entry, Feed, FeedRequest, PublishedFile } from './adapter.ts'
import {
  findNamed,
  isFor,
  pathOf,
  runsOn,
  withEnding,
  waitingFor,
  type Processor,
  type System,
} from './published-files.ts'
import { base64Of, yamlText } from './text.ts'

const channelFile = /^([A-Za-z0-9._]+?)(?:-(mac|linux)(?:-(arm64|arm|ia32))?)?\.yml$/
const endings: Record<System, readonly string[]> = {
  windows: ['.exe'],
  macos: ['.zip'],
  linux: ['.appimage', '.deb', '.rpm', '.pacman'],
}
const processors: Record<string, Processor> = { arm64: 'arm64', arm: 'armv7', ia32: 'x86' }
const systems = { win: 'windows', mac: 'macos', linux: 'linux' } as const

type Wanted = { name: string; system: System; processor: Processor | undefined }

function readName(name: string): Wanted | undefined {
  const [match, , suffix, arch = 'x64'] = channelFile.exec(name) ?? []
  if (match === undefined) return undefined
  const system = systems[(suffix ?? 'win') as keyof typeof systems]
  return { name, system, processor: system === 'linux' ? (processors[arch] ?? 'x64') : undefined }
}

const filesFor = (entry: Entry, { system, processor }: Omit<Wanted, 'name'>): PublishedFile[] =>
  withEnding(entry, endings[system]).filter(
    (file) =>
      file.kind === 'file' && isFor(system, file) && (processor === undefined || runsOn(processor, file)),
  )

/** The service decides by the ID that electron-updater sends in `x-user-staging-id`. */
export const electron: Adapter = {
  name: 'electron-updater',
  rollout: 'client_id',
  paths: [''],
  readClient: ([target]) => ({ target }),
  listMissing(entry) {
    const files = (['windows', 'macos', 'linux'] as const).flatMap((system) =>
      filesFor(entry, { system, processor: undefined }),
    )
    const hasChannelFile = entry.files.some(({ filename }) => readName(filename) !== undefined)
    if (files.length === 0 && !hasChannelFile)
      return [
        {
          message:
            'Upload a build for Windows (.exe), macOS (.zip) or Linux (.AppImage, .deb, .rpm or .pacman), as electron-builder creates it.',
        },
      ]
    const waiting = files.filter(({ sha512 }) => sha512 === null)
    return hasChannelFile || waiting.length < files.length ? [] : waiting.map(waitingFor)
  },
  answer: ({ path }: FeedRequest, feed: Feed) => answerChannelFile(path, feed),
}

type UrlOf = (entry: Entry, file: PublishedFile) => string

/**
 * Returns the channel file at a path: as it was uploaded, or generated if there is none. With `urlOf`, which is for paths
 * from which relative URLs do not lead to the files, always generates it.
 */
export async function answerChannelFile(
  path: readonly string[],
  feed: Feed,
  urlOf?: UrlOf,
): Promise<Answer | undefined> {
  const [name = ''] = path
  const wanted = path.length === 1 ? readName(name) : undefined
  if (wanted === undefined) return undefined
  for (const entry of feed.offers()) {
    const uploaded = urlOf === undefined ? findNamed(entry, name) : undefined
    const body = uploaded && (await feed.read(uploaded))
    if (body !== undefined) return { contentType, body: withoutPercentage(body) }
    const files = filesFor(entry, wanted).filter(({ sha512 }) => sha512 !== null)
    if (files.length > 0) return { contentType, body: render(entry, files, wanted.system, urlOf) }
  }
  return undefined
}

const contentType = 'text/yaml; charset=utf-8'

/**
 * Removes the percentage that was written when the application was built, because the service decides who is offered the
 * version. Everything else stays byte for byte.
 */
function withoutPercentage(body: Buffer): Buffer {
  const text = body.toString('latin1')
  return /^stagingPercentage:/m.test(text)
    ? Buffer.from(text.replace(/^stagingPercentage:.*(?:\r?\n|$)/gm, ''), 'latin1')
    : body
}

function render(
  entry: Entry,
  files: readonly PublishedFile[],
  system: System,
  urlOf: UrlOf = pathOf,
): string {
  const described = files.map((file) => ({
    url: urlOf(entry, file),
    sha512: base64Of(file.sha512 ?? ''),
    size: file.sizeBytes,
  }))
  const [first] = described
  const minimum = kernelVersion(system, entry.rollout.minimumOs[system])
  return [
    `version: ${yamlText(entry.version)}`,
    'files:',
    ...described.flatMap(({ url, sha512, size }) => [
      `  - url: ${yamlText(url)}`,
      `    sha512: ${yamlText(sha512)}`,
      `    size: ${size}`,
    ]),
    `path: ${yamlText(first?.url ?? '')}`,
    `sha512: ${yamlText(first?.sha512 ?? '')}`,
    `releaseDate: ${yamlText(entry.publishedAt.toISOString())}`,
    `releaseName: ${yamlText(entry.title)}`,
    ...(entry.notes === null ? [] : [`releaseNotes: ${yamlText(entry.notes)}`]),
    ...(minimum === undefined ? [] : [`minimumSystemVersion: ${yamlText(minimum)}`]),
    '',
  ].join('\n')
}

/** Returns the version of the kernel that electron-updater compares: macOS 14 has Darwin 23, and macOS 26 Darwin 25. */
function kernelVersion(system: System, version: string | undefined): string | undefined {
  if (version === undefined) return undefined
  const parts = version.split('.').map(Number)
  if (system !== 'macos') return [...parts, 0, 0].slice(0, 3).join('.')
  const [major = 0, minor = 0] = parts
  if (major === 10) return `${minor + 4}.0.0`
  return `${major >= 26 ? major - 1 : major + 9}.0.0`
}
