import type { Entry, Feed, PublishedFile } from './adapter.ts'
import { listPackages, maxPackageVersions } from './nuget-packages.ts'
import { isFor, pathOf, runsOn, withEnding, type Processor } from './published-files.ts'
import { json } from './text.ts'

/** Returns the archive that Squirrel.Mac installs: the zip of an application, never an image. */
export const findMacArchive = (entry: Entry, processor: Processor): PublishedFile | undefined =>
  withEnding(entry, ['.zip']).find(
    (file) => file.kind === 'file' && isFor('macos', file) && runsOn(processor, file),
  )

/**
 * Answers a client that installs whatever it receives: an update only if the version is newer or the client must go back
 * to an earlier one.
 */
export function answerMac(
  feed: Feed,
  { current, processor, base }: { current: string; processor: Processor; base: string },
) {
  const back = feed.findRollback(current)
  const candidates =
    back === undefined ? feed.offers(current).filter((entry) => feed.isNewer(entry, current)) : [back]
  for (const entry of candidates) {
    const file = findMacArchive(entry, processor)
    if (file !== undefined)
      return json({
        url: `${base}/${pathOf(entry, file)}`,
        name: entry.title,
        notes: entry.notes ?? '',
        pub_date: entry.publishedAt.toISOString(),
        version: entry.version,
      })
  }
  return 'no update' as const
}

/**
 * Returns the list of packages for Squirrel.Windows, or undefined if it would be empty, which is an error for clients.
 * Clients decide by the percentage, for which Squirrel.Windows keeps an ID that it does not send.
 */
export function renderReleases(feed: Feed, urlOf: (entry: Entry, file: PublishedFile) => string) {
  const lines = feed.published.slice(0, maxPackageVersions).flatMap((entry) => {
    const percentage = Math.floor(feed.percentage(entry))
    if (percentage <= 0) return []
    return listPackages(entry)
      .filter(({ file, channel }) => file.sha1 !== null && channel === undefined && isWindows(file))
      .map(({ file }) => {
        const stage = percentage >= 100 ? '' : ` # ${percentage}%`
        return `${file.sha1?.toUpperCase()} ${urlOf(entry, file)} ${file.sizeBytes}${stage}`
      })
  })
  // Squirrel.Windows expects the newest version at the end.
  return lines.length === 0
    ? undefined
    : { contentType: 'text/plain; charset=utf-8', body: `${lines.toReversed().join('\n')}\n` }
}

const isWindows = (file: PublishedFile): boolean =>
  isFor('windows', file) || file.kind === 'artifact' || file.build.platform === 'generic'
