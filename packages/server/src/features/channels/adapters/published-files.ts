import type { Entry, Feed, Missing, PublishedFile } from './adapter.ts'

const linuxPlatforms = new Set(
  'linux debian redhat gentoo arch opensuse alpine nixos slackware void mageia'.split(' '),
)

export type System = 'macos' | 'windows' | 'linux'

const namesOfGeneric: Record<System, RegExp> = {
  macos: /\.(dmg|app\.tar\.gz|app\.zip)$|[-_. ](macos|darwin|osx|mac)[-_. ]/i,
  windows: /\.(exe|msi|msix)$|[-_. ](windows|win32|win64|win)[-_. ]/i,
  linux: /\.(appimage|deb|rpm|pacman|appimage\.tar\.gz)$|[-_. ]linux[-_. ]/i,
}

/** Returns whether a file is for an operating system. Files of the platform `generic` are recognized by their names. */
export function isFor(system: System, { build: { platform }, filename }: PublishedFile): boolean {
  if (platform === 'generic') return namesOfGeneric[system].test(filename)
  return system === 'linux' ? linuxPlatforms.has(platform) : platform === system
}

export type Processor = 'x64' | 'x86' | 'arm64' | 'armv7'

const identifiers: Record<Processor, readonly string[]> = {
  x64: ['x64', 'u2b'],
  x86: ['x86'],
  arm64: ['arm64v8', 'armv9', 'armv8', 'apple', 'u2b'],
  armv7: ['armv7', 'armv6', 'armv8'],
}
const namePatterns: readonly (readonly [Processor, RegExp])[] = [
  ['arm64', /arm64|aarch64/i],
  ['armv7', /armv7|armhf|armv6/i],
  ['x64', /x64|x86[-_]64|amd64|win64/i],
  ['x86', /ia32|i[36]86|x86|win32/i],
]

/**
 * Returns whether a file runs on a processor, by the architectures of its build or, if it has none, by its name. A file
 * that names no processor runs on every one.
 */
export function runsOn(processor: Processor, { build: { architectures }, filename }: PublishedFile): boolean {
  if (architectures.length > 0) return architectures.some((each) => identifiers[processor].includes(each))
  const named = namePatterns.find(([, pattern]) => pattern.test(filename))
  return named === undefined || /universal/i.test(filename) || named[0] === processor
}

/** Returns the processors on which a file runs. */
export const processorsOf = (file: PublishedFile): Processor[] =>
  (['x64', 'x86', 'arm64', 'armv7'] as const).filter((processor) => runsOn(processor, file))

/** Returns the files with one of the endings, which include the dot and are lowercase. */
export const withEnding = (entry: Entry, endings: readonly string[]): PublishedFile[] =>
  entry.files.filter(({ filename }) => endings.some((ending) => filename.toLowerCase().endsWith(ending)))

/** Returns the files with one of the endings for an operating system that clients can verify. */
export const listVerifiable = (entry: Entry, endings: readonly string[], system: System): PublishedFile[] =>
  withEnding(entry, endings).filter(
    (file) => file.kind === 'file' && file.sha256 !== null && isFor(system, file),
  )

/** Returns whether a file is a program for Windows that needs no installation, by its name. */
export const isProgram = ({ filename }: PublishedFile): boolean =>
  /\.exe$/i.test(filename) && !/setup|install/i.test(filename)

/** Returns the file with a name, of the same build if it has one and otherwise of the same version. */
export const findNamed = (
  { files }: Pick<Entry, 'files'>,
  filename: string,
  build?: PublishedFile['build'],
): PublishedFile | undefined =>
  build?.files.find((file) => file.filename === filename) ?? files.find((file) => file.filename === filename)

/** Returns the file that belongs to another one by its name, such as its signature `app.exe.sig`. */
export const findCompanion = (entry: Entry, file: PublishedFile, ending: string): PublishedFile | undefined =>
  findNamed(entry, `${file.filename}${ending}`, file.build)

/** Returns the text of the file that belongs to another one. */
export async function readCompanion(
  entry: Entry,
  file: PublishedFile,
  ending: string,
  feed: Pick<Feed, 'read'>,
): Promise<string | undefined> {
  const companion = findCompanion(entry, file, ending)
  return companion && (await feed.read(companion))?.toString('utf8')
}

/**
 * Returns the path of a file below the URL of the format. It contains the version, so that updaters that replace the
 * version in a URL find the files of an older one, and the build, so that it never leads to other bytes than a document
 * states: another build of the version can have a file with the same name. It ends with the name of the file.
 */
export const pathOf = ({ version }: Pick<Entry, 'version'>, { build, filename }: PublishedFile): string =>
  [version, build.id, filename].map(encodeURIComponent).join('/')

/**
 * Returns the file at a path of `pathOf`, or at one without the build or the version: the newest file with the name. Files
 * of stopped versions are not served.
 */
export function findAtPath(
  path: readonly string[],
  { published, all, offers }: Pick<Feed, 'published' | 'all' | 'offers'>,
): PublishedFile | undefined {
  const filename = path.at(-1)
  if (filename === undefined || path.length > 3) return undefined
  const isBlockMap = filename.endsWith('.blockmap')
  // Clients that have a stopped version compare its blocks with those of the next one.
  const entries = isBlockMap ? all : published
  if (path.length === 1) {
    for (const entry of [...offers(), ...entries]) {
      const file = findNamed(entry, filename) ?? findNamed(entry, filename.replaceAll('-', ' '))
      if (file !== undefined) return file
    }
    return undefined
  }
  const entry = entries.find(({ version }) => version === path[0])
  if (path.length === 2) return entry && findNamed(entry, filename)
  const file = entry?.files.find((each) => each.build.id === path[1] && each.filename === filename)
  // electron-updater replaces only the version in the path of a block map, not the build.
  return file ?? (isBlockMap ? entry && findNamed(entry, filename) : undefined)
}

/** Returns a name of a file that contains its checksum, for clients that accept no path. */
export const contentName = ({ sha256, filename }: Pick<PublishedFile, 'sha256' | 'filename'>): string =>
  `${(sha256 ?? '').slice(0, 16)}.${filename}`

/** Returns the published file with a name of `contentName`. */
export function findByContentName(
  name: string,
  { published }: Pick<Feed, 'published'>,
): PublishedFile | undefined {
  if (!/^[0-9a-f]{16}\./.test(name)) return undefined
  return findPublished({ published }, (file) => file.sha256 !== null && contentName(file) === name)
}

/** Returns the first published file that matches, newest versions first. */
export function findPublished(
  { published }: Pick<Feed, 'published'>,
  matches: (file: PublishedFile) => boolean,
): PublishedFile | undefined {
  for (const { files } of published) {
    const file = files.find(matches)
    if (file !== undefined) return file
  }
  return undefined
}

/** The part of a checksum in the file names of an index whose clients accept no path. */
export const checksumInName = (sha256: string): string => sha256.slice(0, 32)

export const waitingFor = (file: PublishedFile): Missing => ({
  message: `The checksums of ${file.filename} are being computed, which takes about a minute after the upload.`,
  build_id: file.build.id,
  filename: file.filename,
})
