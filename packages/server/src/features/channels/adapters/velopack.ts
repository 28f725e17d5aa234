import type { Adapter, Entry } from './adapter.ts'
import { listPackages, maxPackageVersions, type Package } from './nuget-packages.ts'
import { findByContentName, contentName, isFor, waitingFor, type System } from './published-files.ts'
import { json } from './text.ts'

const feedName = /^releases\.([A-Za-z0-9._-]+)\.json$/
const systemsByChannel: Record<string, System> = { win: 'windows', osx: 'macos', linux: 'linux' }

function packagesFor(entry: Entry, channel: string): Package[] {
  const [, system] = Object.entries(systemsByChannel).find(([prefix]) => channel.startsWith(prefix)) ?? []
  return listPackages(entry).filter(({ file, channel: named }) => {
    if (file.sha1 === null || file.sha256 === null) return false
    if (named !== undefined) return named === channel
    // vpk leaves the channel out of the names of packages for Windows.
    return (
      system !== undefined && channel in systemsByChannel && (isFor(system, file) || file.kind === 'artifact')
    )
  })
}

export const velopack: Adapter = {
  name: 'Velopack',
  rollout: 'client_id',
  paths: [''],
  readClient: ([target]) => ({ target }),
  listMissing(entry) {
    const packages = listPackages(entry)
    if (!packages.some(({ isDelta }) => !isDelta))
      return [
        {
          message:
            'Upload the complete package that `vpk pack` has written, such as Id-1.2.3-full.nupkg. Deltas are optional.',
        },
      ]
    return packages.filter(({ file }) => file.sha1 === null).map(({ file }) => waitingFor(file))
  },
  answer({ path }, feed) {
    if (path.length !== 1) return undefined
    const [, channel] = feedName.exec(path[0] ?? '') ?? []
    if (channel === undefined) {
      const file = findByContentName(path[0] ?? '', feed)
      return file && { file }
    }
    const assets = feed
      .offers()
      .slice(0, maxPackageVersions)
      .flatMap((entry) =>
        packagesFor(entry, channel).map(({ file, id, isDelta }) => ({
          PackageId: id,
          Version: entry.version,
          Type: isDelta ? 'Delta' : 'Full',
          // Clients save the package under this name, and fail if it contains a slash.
          FileName: encodeURIComponent(contentName(file)),
          SHA1: file.sha1?.toUpperCase(),
          SHA256: file.sha256?.toUpperCase(),
          Size: file.sizeBytes,
          ...(entry.notes === null ? {} : { NotesMarkdown: entry.notes }),
        })),
      )
    return assets.length === 0 ? undefined : json({ Assets: assets })
  },
}
