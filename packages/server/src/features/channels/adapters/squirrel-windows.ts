import type { Adapter } from './adapter.ts'
import { listPackages } from './nuget-packages.ts'
import { pathOf, waitingFor } from './published-files.ts'
import { renderReleases } from './squirrel.ts'

export const squirrelWindows: Adapter = {
  name: 'Squirrel.Windows',
  rollout: 'client',
  system: 'windows',
  paths: [''],
  listMissing(entry) {
    const packages = listPackages(entry).filter(({ channel }) => channel === undefined)
    if (!packages.some(({ isDelta }) => !isDelta))
      return [{ message: 'Upload the complete package, such as Id-1.2.3-full.nupkg. Deltas are optional.' }]
    return packages.filter(({ file }) => file.sha1 === null).map(({ file }) => waitingFor(file))
  },
  // A name without a path would lead to another package once a build of the same version replaces it.
  answer: ({ path, base }, feed) =>
    path.length === 1 && path[0] === 'RELEASES'
      ? renderReleases(feed, (entry, file) => `${base}/${pathOf(entry, file)}`)
      : undefined,
}
