import type { QuaysideClient } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatSize } from '../../output/format.ts'
import { importBuild } from './import-build.ts'
import type { ImportReport } from './import-report.ts'
import type { BuildToImport, ImportSource, SourceBuild } from './import-source.ts'
import type { ImportState } from './import-state.ts'
import { unlessExists } from './prepare-application.ts'

/** The application that receives an import, what it imports, and the record of both. */
export type ImportWork = {
  client: QuaysideClient
  application_id: string
  source: ImportSource
  state: ImportState
  report: ImportReport
}

export type BuildCounts = {
  builds: number
  skipped_builds: number
  failed_builds: number
  sent_bytes: number
}

/** Copies the builds that earlier runs have not copied. */
export async function importBuilds(context: CommandContext, work: ImportWork): Promise<BuildCounts> {
  const { source, state, report } = work
  const { output, signal } = context
  const counts = { builds: 0, skipped_builds: 0, failed_builds: 0, sent_bytes: 0 }
  for await (const listed of source.builds()) {
    signal.throwIfAborted()
    if (state.find('build', listed.build.id) !== undefined) continue
    try {
      const sentBytes = await importOne(context, work, listed)
      if (sentBytes === undefined) counts.skipped_builds++
      else {
        counts.builds++
        counts.sent_bytes += sentBytes
      }
    } catch (error) {
      if (!source.reportsFailedBuilds || !(error instanceof Failure) || error.kind !== 'failed') throw error
      const what = nameOf(listed)
      counts.failed_builds++
      report.notImported.push({ what, reason: error.message })
      output.note(`Cannot import ${what}: ${error.message}`)
    }
  }
  return counts
}

/** Copies a build and returns the number of bytes sent, or undefined if it was deleted. */
async function importOne(
  context: CommandContext,
  { client, application_id, source, state, report }: ImportWork,
  listed: BuildToImport,
): Promise<number | undefined> {
  const { build } = listed
  const name = nameOf(listed)
  const files = await listed.files()
  if (files === undefined) {
    context.output.note(`Skipped ${name}, which was deleted.`)
    return undefined
  }
  await addCustomTarget(client, application_id, build)
  const { buildId, sizeBytes } = await importBuild(context, client, {
    applicationId: application_id,
    build,
    files,
    state,
    ...(source.reportsFailedBuilds
      ? {
          onFailedArtifact: (filename: string, { message }: Failure) =>
            void report.notImported.push({ what: `${filename}, which belongs to ${name}`, reason: message }),
        }
      : {}),
  })
  context.output.note(`Imported ${name} as ${buildId} (${formatSize(sizeBytes)})`)
  return sizeBytes
}

const nameOf = ({ name, build: { version, platform, stream } }: BuildToImport): string =>
  name ?? `${version} for ${platform.identifier} in ${stream.name}`

async function addCustomTarget(
  client: QuaysideClient,
  application_id: string,
  { custom_target: target, platform }: SourceBuild,
): Promise<void> {
  if (target === undefined || target === null) return
  const { data } = await client.listCustomTargets({ application_id })
  if (data.some(({ name }) => name.toLowerCase() === target.name.toLowerCase())) return
  const body = { name: target.name, platform: platform.identifier }
  await unlessExists(client.createCustomTarget({ application_id, body }))
}
