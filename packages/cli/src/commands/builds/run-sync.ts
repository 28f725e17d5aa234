import { lstat, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { QuaysideError } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { cannotRead } from '../../files/file-failure.ts'
import { formatSize } from '../../output/format.ts'
import { requireApplicationId } from '../../require-application-id.ts'
import { previewSync, syncFolder } from '../../sync/sync-folder.ts'
import type { SyncCounts } from '../../sync/sync-folder.ts'
import { openBuildArchive } from './remote/open-build-archive.ts'
import { buildOfApplication, openRemoteBuild } from './remote/remote-build.ts'
import type { RemoteBuild, SelectionOptions } from './remote/remote-build.ts'
import { NoMatchingBuild, requireBuildId } from './select-build.ts'
import type { LatestOptions } from './select-build.ts'

export type SyncCommandOptions = SelectionOptions & { delete?: boolean; dryRun?: boolean; watch?: boolean }

/** Changes a folder to the content of a build, and prints what was changed and transferred. */
export async function runSync(
  context: CommandContext,
  selected: string,
  path: string,
  options: SyncCommandOptions,
): Promise<void> {
  if (options.watch === true && selected !== 'latest')
    throw new Failure('usage', '--watch follows the newest build. Use `latest` instead of a build ID.')
  if (options.watch === true && options.dryRun === true)
    throw new Failure('usage', 'Use either --watch or --dry-run, not both.')
  const folder = await chooseFolder(resolve(context.runtime.cwd, path))
  if (options.delete === true && (folder === dirname(folder) || folder === homedir()))
    throw new Failure(
      'usage',
      `--delete would remove all other files in ${folder}. Choose a folder for the build.`,
    )
  if (options.watch === true) await watchBuilds(context, await requireApplicationId(context), folder, options)
  else await syncBuild(context, await openRemoteBuild(context, selected, options), folder, options)
}

async function syncBuild(
  context: CommandContext,
  build: RemoteBuild,
  folder: string,
  options: SyncCommandOptions,
): Promise<void> {
  const build_id = build.id
  const remote = await openBuildArchive(context, build, { waitsForIndex: options.watch === true })
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
  const { receivedBytes, reusedBytes, patched, ...counts } = await syncFolder(context, sync)
  const bytes = { received_bytes: receivedBytes, reused_bytes: reusedBytes }
  const result = { build_id, folder, ...counts, ...bytes, patched_files: patched }
  const byPatch = patched === 0 ? '' : `, ${patched} by a patch`
  const text = () =>
    `${formatCounts(counts)}${byPatch}. Reused ${formatSize(reusedBytes)}, downloaded ${formatSize(receivedBytes)}.`
  if (options.watch === true) output.item({ ...result, dry_run: false }, () => `${build_id}: ${text()}`)
  else output.result({ ...result, dry_run: false }, text)
}

/** Syncs the newest build, and again whenever another build becomes the newest, until the command is interrupted. */
async function watchBuilds(
  context: CommandContext,
  application_id: string,
  folder: string,
  options: SyncCommandOptions,
): Promise<void> {
  const { signal } = context
  let synced: string | undefined
  for (;;)
    try {
      // The first event reports the connection, so builds that are created before or during a sync are not missed.
      for await (const { event, data } of context.client().watchEvents({ application_id }, { signal })) {
        if (event !== 'ready' && data.type !== 'build') continue
        const build_id = await findLatest(context, application_id, options)
        if (build_id === undefined || build_id === synced) continue
        await syncBuild(context, buildOfApplication(context, application_id, build_id), folder, options)
        synced = build_id
      }
    } catch (error) {
      // The database was probably restored from a backup. The events start again, and so does the comparison.
      if (!(error instanceof QuaysideError) || error.status !== 410) throw error
    }
}

/** Returns the newest build, or undefined while there is none. */
async function findLatest(
  context: CommandContext,
  application_id: string,
  options: LatestOptions,
): Promise<string | undefined> {
  try {
    return await requireBuildId(context, application_id, 'latest', options)
  } catch (error) {
    if (!(error instanceof NoMatchingBuild)) throw error
    context.output.note('Waiting for the first matching build. Press Ctrl-C to stop.')
    return undefined
  }
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

function formatCounts({ changed, added, removed }: SyncCounts): string {
  if (changed + added + removed === 0) return 'No files changed'
  return `${changed} ${changed === 1 ? 'file' : 'files'} changed, ${added} added, ${removed} removed`
}
