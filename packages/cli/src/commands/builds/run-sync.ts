import { lstat, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { CommandContext } from '../../command-context.ts'
import { Failure, withNotFoundMessage } from '../../failure.ts'
import { cannotRead } from '../../files/file-failure.ts'
import { formatSize } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { fetchRange } from '../../reuse/fetch-chunks.ts'
import { fetchChunkIndex } from '../../reuse/fetch-index.ts'
import { ReuseError } from '../../reuse/reuse-context.ts'
import type { RemoteArchive } from '../../sync/remote-archive.ts'
import { previewSync, syncFolder } from '../../sync/sync-folder.ts'
import type { SyncCounts, SyncResult } from '../../sync/sync-folder.ts'
import { downloadFile } from '../../transfer/download-file.ts'
import { checksumOf, fileChecksumWithProgress } from '../../transfer/file-checksum.ts'
import { safeFileName } from '../../transfer/safe-name.ts'
import { buildNotFound } from './format-build.ts'
import { requireBuildId } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

export type SyncCommandOptions = LatestOptions & { delete?: boolean; dryRun?: boolean }

/** Changes a folder to the content of a build, and prints what was changed and transferred. */
export async function runSync(
  context: CommandContext,
  selected: string,
  path: string,
  options: SyncCommandOptions,
): Promise<void> {
  const folder = await chooseFolder(resolve(context.runtime.cwd, path))
  if (options.delete === true && (folder === dirname(folder) || folder === homedir()))
    throw new Failure(
      'usage',
      `--delete would remove all other files in ${folder}. Choose a folder for the build.`,
    )
  const application_id = await requireApplicationId(context)
  const build_id = await requireBuildId(context, application_id, selected, options)
  const remote = await openBuild(context, application_id, build_id)
  const sync = { folder, buildId: build_id, remote, deletesOthers: options.delete === true }
  const { output } = context
  if (options.dryRun === true) {
    const counts = await previewSync(context, sync)
    output.result(
      { build_id, folder, ...counts, dry_run: true },
      () => `${formatCounts(counts)}. Nothing was written.`,
    )
    return
  }
  const result = await syncFolder(context, sync)
  const { receivedBytes, reusedBytes, ...counts } = result
  output.result(
    { build_id, folder, ...counts, received_bytes: receivedBytes, reused_bytes: reusedBytes, dry_run: false },
    () => formatResult(result),
  )
}

/** Returns the path of the folder without symbolic links. Throws if it is a file. */
async function chooseFolder(path: string): Promise<string> {
  if ((await lstat(path).catch(() => undefined)) === undefined) return path
  if (!(await stat(path).catch(() => undefined))?.isDirectory())
    throw new Failure('failed', `${path} is not a folder. Choose the path of a folder.`)
  return await realpath(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
}

/** Returns the primary file of a build in its store. */
async function openBuild(
  context: CommandContext,
  application_id: string,
  build_id: string,
): Promise<RemoteArchive> {
  const client = context.client()
  const { agents, output, signal } = context
  const params = { application_id, build_id }
  const fetchLinks = () =>
    withNotFoundMessage(client.getBuildDownload(params, { signal }), buildNotFound(build_id))
  const fetchLink = async () => (await fetchLinks()).primary_file
  const { primary_file, expansion_files: others = [] } = await fetchLinks()
  let link = primary_file
  if (others.length > 0)
    output.note(
      `Only ${link.filename} is synced. Use \`quayside download\` for the other ${others.length === 1 ? 'file' : 'files'}.`,
    )
  const { size_bytes: sizeBytes } = link
  const filename = safeFileName(link.filename)
  const url = async (fresh: boolean) => {
    if (fresh) link = await fetchLink()
    return link.temp_url
  }
  return {
    filename,
    sizeBytes,
    async fetchIndex() {
      const { data } = await client.getBuild(params, { signal })
      const index = await fetchChunkIndex(context, { ...params, file_id: data.primary_file.id, sizeBytes })
      if (index.fileSha256 !== (link.checksum_sha256 ?? index.fileSha256))
        throw new ReuseError('The chunk index describes another file.')
      return index
    },
    async fetch(range, write, rangeSignal) {
      await fetchRange({ agents, output, signal: rangeSignal, file: { filename, url }, write }, range)
    },
    async download(target) {
      const checksum = checksumOf(link)
      const existing = await stat(target).catch(() => undefined)
      if (
        existing &&
        checksum &&
        (await fileChecksumWithProgress(context, target, checksum.algorithm)) === checksum.hex
      )
        return 0
      const fetchChecksum = async () => checksumOf((link = await fetchLink()))
      const partialPath = `${target}.part`
      const file = {
        filename,
        sizeBytes,
        checksum,
        fetchChecksum,
        target,
        partialPath,
        url,
        agents,
        output,
        signal,
      }
      return (await downloadFile(file)).receivedBytes
    },
  }
}

function formatCounts({ changed, added, removed }: SyncCounts): string {
  const parts = [
    `${changed} ${changed === 1 ? 'file' : 'files'} changed`,
    `${added} added`,
    `${removed} removed`,
  ]
  return changed + added + removed === 0 ? 'No files changed' : parts.join(', ')
}

const formatResult = (result: SyncResult): string =>
  `${formatCounts(result)}. Reused ${formatSize(result.reusedBytes)}, downloaded ${formatSize(result.receivedBytes)}.`
