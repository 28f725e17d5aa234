import { parseVersion } from '../../../lib/semver.ts'
import type { Adapter, Entry, Feed, FeedRequest } from './adapter.ts'
import { answerChannelFile } from './electron.ts'
import { absolute, findDownload, listMissingForElectron, readTarget } from './hazel.ts'
import { answerMac, renderReleases } from './squirrel.ts'
import { json } from './text.ts'

/** Removes the name of a flavor or channel: one of our channels stands for both. */
function withoutFlavor([kind = '', ...rest]: readonly string[]): string[] {
  const [first, , ...others] = rest
  return first === 'flavor' || (kind === 'download' && first === 'channel')
    ? [kind, ...withoutFlavorOf(others)]
    : [kind, ...rest]
}

const withoutFlavorOf = (rest: string[]): string[] => (rest[0] === 'channel' ? rest.slice(2) : rest)

/** The paths of electron-release-server, so that installed applications need no new version. */
export const electronReleaseServer: Adapter = {
  name: 'electron-release-server',
  rollout: 'client_id',
  paths: ['update/{platform}/{version}', 'download/latest/{platform}'],
  readClient(path) {
    const [kind, target, version] = withoutFlavor(path)
    return kind === 'update' ? { target, version } : {}
  },
  listMissing: listMissingForElectron,
  answer(request, feed) {
    const [kind, ...rest] = withoutFlavor(request.path)
    if (kind === 'update') return answerUpdate(rest, request, feed)
    if (kind === 'download') return answerDownload(rest, feed)
    if (kind === 'notes') return answerNotes(rest[0], feed)
    return undefined
  },
}

function answerUpdate(path: string[], { base }: FeedRequest, feed: Feed) {
  const [platform = '', ...rest] = path
  const target = readTarget(platform)
  const last = rest.at(-1)
  if (target === undefined || last === undefined || rest.length > 3) return undefined
  if (last === 'RELEASES') return renderReleases(feed, absolute(base))
  if (last.endsWith('.yml')) return answerChannelFile([last], feed, absolute(base))
  const [current = ''] = rest
  return target.system === 'macos' && rest.length <= 2
    ? answerMac(feed, { current, processor: target.processor, base })
    : ('no update' as const)
}

function answerDownload(path: string[], feed: Feed) {
  const [first = '', platform = '', filename] = path
  const offered = feed.offers()
  const version = parseVersion(first)
  if (version === undefined) {
    const target = readTarget(first === 'latest' ? platform : first)
    const file = target && findDownload(offered, target)
    return file && { file }
  }
  const entry = findVersion(offered, first)
  const target = readTarget(platform)
  if (entry === undefined) return undefined
  const named = entry.files.find((file) => file.filename === filename)
  const file = named ?? (filename === undefined && target ? findDownload([entry], target) : undefined)
  return file && { file }
}

function answerNotes(version: string | undefined, feed: Feed) {
  const offered = feed.offers()
  const entry = version === undefined ? offered[0] : findVersion(offered, version)
  return (
    entry && json({ name: entry.title, notes: entry.notes ?? '', pub_date: entry.publishedAt.toISOString() })
  )
}

const findVersion = (entries: readonly Entry[], version: string): Entry | undefined =>
  entries.find((entry) => entry.version === version.replace(/^v/, ''))
