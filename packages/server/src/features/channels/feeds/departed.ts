import type { PublishedFile } from '../adapters/adapter.ts'
import { checksumInName, contentName } from '../adapters/published-files.ts'
import { isAvailable, offeredToEveryone } from '../rollouts/rollout-rules.ts'
import type { Publication } from './publication.ts'

/**
 * How long the files of a version that has left a channel remain available, for clients that have just read a document. A
 * stop or a rollback applies at once.
 */
const departedMs = 60_000

/** A file that a channel published until recently, with the version at which clients know it. */
export type Departed = { version: string; file: PublishedFile; untilMs: number }

type Before = Pick<Publication, 'state' | 'published'> & { departed: readonly Departed[] }

/** Lists the files that a channel no longer publishes, but did recently. */
export function listDeparted(before: Before, now: Publication, nowMs: number): Departed[] {
  const hasSameSource =
    before.state.stream_id === now.state.stream_id &&
    before.state.includes_prereleases === now.state.includes_prereleases &&
    before.state.access === now.state.access
  if (!hasSameSource) return []
  const present = new Set(
    now.entries.flatMap(({ version, files }) => files.map(({ id }) => `${version} ${id}`)),
  )
  const untilMs = nowMs + departedMs
  const published = before.published.flatMap(({ version, files }) =>
    files.map((file) => ({ version, file, untilMs })),
  )
  return [...before.departed, ...published].filter(
    (each) => each.untilMs > nowMs && !present.has(`${each.version} ${each.file.id}`),
  )
}

/** Returns the file at a path that contains its version or its checksum, if it has just left the channel. */
export function findDeparted(
  path: readonly string[],
  { departed, rollouts }: Pick<Publication, 'rollouts'> & { departed: readonly Departed[] },
  nowMs: number,
): PublishedFile | undefined {
  const filename = path.at(-1) ?? ''
  const leadsTo = ({ version, file }: Departed): boolean => {
    const { filename: name, sha256, build } = file
    if (path[0] === version) return name === filename && (path.length === 2 || path[1] === build.id)
    if (sha256 === null) return false
    return (
      path.includes(sha256) ||
      filename.includes(`.${checksumInName(sha256)}.`) ||
      filename === contentName(file)
    )
  }
  return departed.find(
    (each) =>
      each.untilMs > nowMs && isAvailable(rollouts.get(each.version) ?? offeredToEveryone) && leadsTo(each),
  )?.file
}
