import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import { isFor, pathOf, runsOn, withEnding, type Processor, type System } from './published-files.ts'
import { answerMac, renderReleases } from './squirrel.ts'

type Target = { system: System; processor: Processor; endings: readonly string[] }

const mac: Omit<Target, 'processor'> = { system: 'macos', endings: ['.dmg', '.zip', '.pkg'] }
const windows: Omit<Target, 'processor'> = { system: 'windows', endings: ['.exe', '.msi'] }
const linux = (endings: readonly string[]): Omit<Target, 'processor'> => ({ system: 'linux', endings })

const families: Record<string, Omit<Target, 'processor'>> = {
  darwin: mac,
  mac,
  macos: mac,
  osx: mac,
  dmg: { system: 'macos', endings: ['.dmg'] },
  win32: windows,
  win64: windows,
  windows,
  exe: { system: 'windows', endings: ['.exe'] },
  linux: linux(['.appimage', '.deb', '.rpm', '.tar.gz']),
  appimage: linux(['.appimage']),
  deb: linux(['.deb']),
  debian: linux(['.deb']),
  rpm: linux(['.rpm']),
  fedora: linux(['.rpm']),
}
const processors: Record<string, Processor> = {
  x64: 'x64',
  '64': 'x64',
  arm64: 'arm64',
  ia32: 'x86',
  '32': 'x86',
  armv7l: 'armv7',
  universal: 'x64',
}

/**
 * Returns what a platform means in the paths of Hazel, update.electronjs.org (`darwin-arm64`) and
 * electron-release-server (`osx_64`, `linux_deb_64`).
 */
export function readTarget(platform: string): Target | undefined {
  const parts = platform.toLowerCase().split(/[-_]/)
  const family = parts.reduce<Omit<Target, 'processor'> | undefined>(
    (found, part) => families[part] ?? found,
    undefined,
  )
  const processor = parts.map((part) => processors[part]).find((found) => found !== undefined)
  return family && { ...family, processor: processor ?? 'x64' }
}

/** Returns the file that a person downloads. */
export function findDownload(entries: readonly Entry[], { system, processor, endings }: Target) {
  for (const entry of entries)
    for (const ending of endings) {
      const file = withEnding(entry, [ending]).find(
        (each) => each.kind === 'file' && isFor(system, each) && runsOn(processor, each),
      )
      if (file !== undefined) return file
    }
  return undefined
}

const hasFiles = ({ files }: Entry): boolean =>
  files.some(
    ({ kind, filename }) => kind === 'file' && /\.(zip|nupkg|dmg|exe|deb|rpm|appimage)$/i.test(filename),
  )

export const listMissingForElectron = (entry: Entry) =>
  hasFiles(entry)
    ? []
    : [
        {
          message:
            'Upload a build: .zip for macOS, the .nupkg of Squirrel.Windows for Windows, or a Linux package.',
        },
      ]

/** Packages in RELEASES have absolute URLs, because clients ask below a path that contains their version. */
export const absolute =
  (base: string) =>
  (entry: Entry, file: PublishedFile): string =>
    `${base}/${pathOf(entry, file)}`

/** The paths of Hazel and update.electronjs.org, so that installed applications need no new version. */
export const hazel: Adapter = {
  name: 'Hazel',
  rollout: 'client_id',
  paths: ['update/{platform}/{version}', 'download/{platform}'],
  readClient: ([kind, target, version]) => (kind === 'update' ? { target, version } : { target }),
  listMissing: listMissingForElectron,
  answer({ path, base }, feed: Feed) {
    const [kind, platform = '', version, last] = path
    const target = readTarget(platform)
    if (kind === 'download' && target !== undefined && path.length === 2) {
      const file = findDownload(feed.offers(), target)
      return file && { file }
    }
    if (kind !== 'update' || target === undefined || version === undefined) return undefined
    if (last === 'RELEASES' && path.length === 4 && target.system === 'windows')
      return renderReleases(feed, absolute(base))
    if (path.length !== 3) return undefined
    if (target.system !== 'macos') return 'no update'
    return answerMac(feed, { current: version, processor: target.processor, base })
  },
}
