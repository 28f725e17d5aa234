import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandContext } from '../../../command-context.ts'
import { fetchRange } from '../../../reuse/fetch-chunks.ts'
import type { FetchedIndex } from '../../../reuse/fetch-index.ts'
import { PendingIndexError, ReuseError } from '../../../reuse/reuse-context.ts'
import type { RemoteArchive } from '../../../sync/remote-archive.ts'
import { downloadFile } from '../../../transfer/download-file.ts'
import { checksumOf, fileChecksumWithProgress } from '../../../transfer/file-checksum.ts'
import { safeFileName } from '../../../transfer/safe-name.ts'
import type { RemoteBuild } from './remote-build.ts'

const pollEveryMs = 5_000
const maxWaitMs = 15 * 60_000

/**
 * Returns the primary file of a build in its store. `waitsForIndex` says whether to wait until the server has computed the
 * chunk index of a new build.
 */
export async function openBuildArchive(
  context: CommandContext,
  remote: RemoteBuild,
  { waitsForIndex }: { waitsForIndex: boolean },
): Promise<RemoteArchive> {
  const { agents, output, signal } = context
  const [primary, ...others] = await remote.fetchLinks()
  if (primary === undefined) throw new Error(`build ${remote.id} has no primary file`)
  let link = primary
  const fetchLink = async () => (await remote.fetchLinks())[0] ?? primary
  if (others.length > 0)
    output.note(`Only ${link.filename} is synced. Use \`quayside download\` for the expansion files.`)
  const { size_bytes: sizeBytes } = link
  const filename = safeFileName(link.filename)
  const url = async (fresh: boolean) => {
    if (fresh) link = await fetchLink()
    return link.temp_url
  }
  const fetchIndex = async (): Promise<FetchedIndex> => {
    const index = await remote.fetchIndex(0)
    if (index.fileSha256 !== (link.checksum_sha256 ?? index.fileSha256))
      throw new ReuseError('The chunk index describes another file.')
    return index
  }
  return {
    filename,
    sizeBytes,
    fetchIndex: () => (waitsForIndex ? whilePending(context, filename, fetchIndex) : fetchIndex()),
    async fetch(range, write, rangeSignal) {
      await fetchRange({ agents, output, signal: rangeSignal, file: { filename, url }, write }, range)
    },
    async findPatch(from) {
      const patch = await remote.findPatch(0, from)
      if (patch === undefined) return undefined
      const patchUrl = async (fresh: boolean) =>
        (fresh ? await remote.findPatch(0, from) : undefined)?.url ?? patch.url
      return {
        sizeBytes: patch.sizeBytes,
        async fetch(range, write, rangeSignal) {
          const file = { filename: `the patch of ${filename}`, url: patchUrl }
          await fetchRange({ agents, output, signal: rangeSignal, file, write }, range)
        },
      }
    },
    async download(target) {
      const checksum = checksumOf(link)
      const existing = await stat(target).catch(() => undefined)
      if (existing && checksum) {
        const hex = await fileChecksumWithProgress(context, target, checksum.algorithm)
        if (hex === checksum.hex) return 0
      }
      const fetchChecksum = async () => checksumOf((link = await fetchLink()))
      const file = { filename, sizeBytes, checksum, fetchChecksum, url, agents, output, signal }
      return (await downloadFile({ ...file, target, partialPath: `${target}.part` })).receivedBytes
    },
  }
}

/** Repeats the request for a chunk index while the server computes it. */
async function whilePending(
  { output, signal }: CommandContext,
  filename: string,
  fetchIndex: () => Promise<FetchedIndex>,
): Promise<FetchedIndex> {
  for (let waitedMs = 0; ; waitedMs += pollEveryMs) {
    try {
      return await fetchIndex()
    } catch (error) {
      if (!(error instanceof PendingIndexError) || waitedMs >= maxWaitMs) throw error
      if (waitedMs === 0) output.note(`Waiting for the chunk index of ${filename}.`)
    }
    await sleep(pollEveryMs, undefined, { signal })
  }
}
