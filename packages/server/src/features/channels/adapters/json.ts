import { isBelowDotted } from '../rollouts/version-order.ts'
import type { Adapter, Entry, Feed, PublishedFile } from './adapter.ts'
import { findCompanion, isFor, pathOf, runsOn, type Processor } from './published-files.ts'
import { json as document } from './text.ts'

const signatureEndings = ['.minisig', '.sig', '.asc'] as const
const companionEndings = /\.(minisig|sig|asc|blockmap|zsync|sha256|yml)$/i
const systems = new Set(['macos', 'windows', 'linux'])
const processors: Record<string, Processor> = {
  x64: 'x64',
  x86_64: 'x64',
  amd64: 'x64',
  x86: 'x86',
  i686: 'x86',
  arm64: 'arm64',
  aarch64: 'arm64',
  armv7: 'armv7',
}
const maxVersions = 100

/** The format for applications without an updater of their own (docs/updates-json.md). */
export const json: Adapter = {
  name: 'Quayside JSON',
  rollout: 'client_id',
  paths: ['latest.json', 'versions.json'],
  isSigned: true,
  query: ['platform', 'arch', 'version', 'os_version'],
  listMissing(entry) {
    const files = installable(entry)
    if (files.length === 0) return [{ message: 'Upload a build.' }]
    if (files.some(({ sha256 }) => sha256 !== null)) return []
    return files.map(({ filename, build }) => ({
      message: `The checksums of ${filename} are being computed.`,
      build_id: build.id,
      filename,
    }))
  },
  async answer({ path: [name, ...others], query, base }, feed) {
    if (others.length > 0) return undefined
    if (name === 'versions.json')
      return document({
        schema_version: 1,
        versions: await Promise.all(
          feed
            .offers()
            .slice(0, maxVersions)
            .map((entry) => describe(entry, installable(entry), { base, feed })),
        ),
      })
    if (name !== 'latest.json') return undefined
    const current = query.get('version') ?? undefined
    const back = current === undefined ? undefined : feed.findRollback(current)
    const candidates = back === undefined ? feed.offers(current) : [back]
    for (const entry of candidates) {
      if (current !== undefined && back === undefined && !feed.isNewer(entry, current)) break
      if (isTooNew(entry, query)) continue
      const files = matching(entry, query)
      if (files.length === 0) continue
      return document({
        schema_version: 1,
        ...(await describe(entry, files, { base, feed })),
        is_rollback: back !== undefined,
      })
    }
    return 'no update'
  },
}

const installable = (entry: Entry): PublishedFile[] =>
  entry.files.filter(({ kind, filename }) => kind === 'file' && !companionEndings.test(filename))

/** Returns whether the client says that its system is older than the version requires. */
function isTooNew({ rollout: { minimumOs } }: Entry, query: URLSearchParams): boolean {
  const minimum = minimumOs[query.get('platform') ?? '']
  const version = query.get('os_version')
  return (
    minimum !== undefined &&
    version !== null &&
    /^\d+(\.\d+)*$/.test(version) &&
    isBelowDotted(version, minimum)
  )
}

function matching(entry: Entry, query: URLSearchParams): PublishedFile[] {
  const platform = query.get('platform')
  const arch = query.get('arch')
  const processor = arch === null ? undefined : processors[arch]
  return installable(entry).filter((file) => {
    if (file.sha256 === null) return false
    if (platform !== null && !isOnPlatform(platform, file)) return false
    if (arch === null) return true
    return processor === undefined ? file.build.architectures.includes(arch) : runsOn(processor, file)
  })
}

const isOnPlatform = (platform: string, file: PublishedFile): boolean =>
  file.build.platform === platform ||
  (systems.has(platform) && isFor(platform as 'macos' | 'windows' | 'linux', file))

async function describe(
  entry: Entry,
  files: readonly PublishedFile[],
  { base, feed }: { base: string; feed: Feed },
) {
  return {
    version: entry.version,
    title: entry.title,
    notes: entry.notes,
    published_at: entry.publishedAt.toISOString(),
    is_critical: entry.rollout.isCritical,
    is_required: entry.rollout.isRequired,
    minimum_os: entry.rollout.minimumOs,
    files: await Promise.all(
      files
        .filter(({ sha256 }) => sha256 !== null)
        .map(async (file) => ({
          platform: file.build.platform,
          architectures: file.build.architectures,
          filename: file.filename,
          url: `${base}/${pathOf(entry, file)}`,
          size_bytes: file.sizeBytes,
          sha256: file.sha256,
          sha512: file.sha512,
          signatures: await signaturesOf(entry, file, feed),
        })),
    ),
  }
}

/** Returns the signatures of the uploader as text; the service has no key with which it could sign applications. */
async function signaturesOf(entry: Entry, file: PublishedFile, feed: Feed) {
  const found = await Promise.all(
    signatureEndings.map(async (ending) => {
      const companion = findCompanion(entry, file, ending)
      const text = companion && (await feed.read(companion))?.toString('utf8')
      return companion === undefined || text === undefined
        ? undefined
        : { filename: companion.filename, text }
    }),
  )
  return found.filter((each) => each !== undefined)
}
