import type { Entry, PublishedFile } from './adapter.ts'
import { withEnding } from './published-files.ts'

/** A package of Velopack or Squirrel.Windows. */
export type Package = { file: PublishedFile; id: string; isDelta: boolean; channel: string | undefined }

/** Clients take packages one after another, so only so many versions are of use to them. */
export const maxPackageVersions = 200

const name =
  /^(.+?)-(\d+\.\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.-]+?)?(?:\+[0-9A-Za-z.-]+?)?)(?:-(win|osx|linux)[0-9A-Za-z.-]*)?-(full|delta)\.nupkg$/i

/**
 * Returns the packages of a version, complete ones first. Their names have the form `Id-1.2.3-full.nupkg`, or
 * `Id-1.2.3-linux-full.nupkg` for a channel of Velopack.
 */
export function listPackages(entry: Entry): Package[] {
  const packages = withEnding(entry, ['.nupkg']).flatMap((file): Package[] => {
    // Cuts the version of the build out, because an ID may contain digits and a pre-release may contain `-win`.
    const marker = `-${entry.version}-`
    const at = file.filename.indexOf(marker)
    if (at > 0) {
      const [, channel, kind] =
        /^(?:(.+)-)?(full|delta)\.nupkg$/i.exec(file.filename.slice(at + marker.length)) ?? []
      if (kind !== undefined)
        return [{ file, id: file.filename.slice(0, at), isDelta: /delta/i.test(kind), channel }]
    }
    const [, id, , channel, kind] = name.exec(file.filename) ?? []
    return id === undefined || kind === undefined ? [] : [{ file, id, isDelta: /delta/i.test(kind), channel }]
  })
  return packages.toSorted((a, b) => Number(a.isDelta) - Number(b.isDelta))
}
