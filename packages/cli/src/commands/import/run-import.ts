import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { userFolder } from '../../files/user-folder.ts'
import { formatSize } from '../../output/format.ts'
import { chooseSource } from './choose-source.ts'
import type { SourceOptions } from './choose-source.ts'
import { importBuilds } from './import-builds.ts'
import type { BuildCounts } from './import-builds.ts'
import { importReleases } from './import-releases.ts'
import { ImportReport } from './import-report.ts'
import { importAppearance, importSharing } from './import-settings.ts'
import type { ImportSource } from './import-source.ts'
import { ImportState } from './import-state.ts'
import { prepareApplication } from './prepare-application.ts'

export type ImportOptions = SourceOptions & { state?: string; startOver?: boolean }

type Summary = BuildCounts & { releases: number }

/** Imports an application from a folder, from another server or from another service. */
export async function runImport(
  context: CommandContext,
  folder: string | undefined,
  options: ImportOptions,
): Promise<void> {
  const source = await chooseSource(context, folder, options)
  const { output, settings, runtime } = context
  const client = context.client()
  const target = `${settings.server} ${settings.application ?? ''} ${source.id}`
  const name = createHash('sha256').update(target).digest('hex').slice(0, 32)
  const path =
    options.state === undefined
      ? join(userFolder(runtime.env, 'state'), 'imports', `${name}.jsonl`)
      : resolve(runtime.cwd, options.state)
  if (options.startOver === true) await startOver(context, path, source)
  const state = await ImportState.open(path)
  try {
    const applicationId = await prepareApplication(context, client, source, state)
    const sourceSettings = await source.settings()
    const report = new ImportReport(source.neverImported)
    const common = { client, application_id: applicationId, state, report }
    const sharing = { ...common, settings: sourceSettings, signal: context.signal }
    await importAppearance(sharing)
    const counts = await importBuilds(context, { ...common, source })
    const releases = await importReleases(context, { ...common, source })
    await importSharing(sharing)
    await state.removeFiles()
    const summary = { ...counts, releases }
    const result = { application_id: applicationId, state: path, ...summary, ...report.toJson() }
    output.result(result, () => `${describe(applicationId, summary)}\n${report.describe()}`)
    if (counts.failed_builds > 0)
      throw new Failure(
        'failed',
        `${countOf(counts.failed_builds)} could not be imported. The report lists the reasons. Rerun the command to try again.`,
      )
  } finally {
    await state.close()
  }
}

/** Discards the record of earlier runs. What they have imported stays. */
async function startOver({ output }: CommandContext, path: string, source: ImportSource): Promise<void> {
  const discarded = await ImportState.discard(path, source.id)
  if (discarded === undefined) return
  output.note(`The record of the earlier import is now ${discarded.path}.`)
  if (discarded.applicationId !== undefined)
    output.note(
      `What it imported into the application ${discarded.applicationId} stays. Delete the application if you do not need it.`,
    )
}

const countOf = (builds: number): string => (builds === 1 ? '1 build' : `${builds} builds`)

function describe(
  applicationId: string,
  { builds, skipped_builds, failed_builds, releases, sent_bytes }: Summary,
): string {
  const skipped = skipped_builds === 0 ? '' : ` Skipped ${skipped_builds} builds that were deleted.`
  const failed = failed_builds === 0 ? '' : ` ${countOf(failed_builds)} failed.`
  return `Imported ${builds} builds (${formatSize(sent_bytes)}) and ${releases} releases into the application ${applicationId}.${skipped}${failed}`
}
