import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type { QuaysideClient } from '@quayside/sdk'
import { firstNonEmpty } from '../../ci/ci-metadata.ts'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { formatSize } from '../../output/format.ts'
import { parseServerUrl } from '../../server-url.ts'
import { checkKey } from '../../settings.ts'
import { stateFolder } from '../../transfer/upload-state.ts'
import { createApiSource } from './api-source.ts'
import { createFolderSource } from './folder-source.ts'
import { importBuild } from './import-build.ts'
import { ImportReport } from './import-report.ts'
import { importAppearance, importSharing } from './import-settings.ts'
import type { ImportSource, SourceBuild, SourceRelease } from './import-source.ts'
import { ImportState } from './import-state.ts'
import { prepareApplication, unlessExists } from './prepare-application.ts'

export type ImportOptions = {
  from?: string
  fromApplication?: string
  fromKey?: string
  state?: string
  startOver?: boolean
}

type Summary = { builds: number; skipped_builds: number; releases: number; sent_bytes: number }

/** Imports an application from a folder or from another server. */
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
      ? join(dirname(stateFolder(runtime.env)), 'imports', `${name}.jsonl`)
      : resolve(runtime.cwd, options.state)
  if (options.startOver === true) await startOver(context, path, source)
  const state = await ImportState.open(path)
  try {
    const applicationId = await prepareApplication(context, client, source, state)
    const settings = await source.settings()
    const report = new ImportReport()
    const work = { client, application_id: applicationId, settings, state, report, signal: context.signal }
    await importAppearance(work)
    const summary = { builds: 0, skipped_builds: 0, releases: 0, sent_bytes: 0 }
    await importBuilds(context, client, { source, state, applicationId, summary })
    await importReleases(context, client, { source, state, applicationId, summary })
    await importSharing(work)
    await state.removeFiles()
    const result = { application_id: applicationId, state: path, ...summary, ...report.toJson() }
    output.result(result, () => `${describe(applicationId, summary)}\n${report.describe()}`)
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

async function chooseSource(
  context: CommandContext,
  folder: string | undefined,
  { from, fromApplication, fromKey }: ImportOptions,
): Promise<ImportSource> {
  const { runtime, output, signal } = context
  if (folder !== undefined) {
    if (from !== undefined) throw new Failure('usage', 'Use either a folder or --from, not both.')
    return createFolderSource(resolve(runtime.cwd, folder), context.agents)
  }
  if (from === undefined || fromApplication === undefined)
    throw new Failure('usage', 'Name a folder, or a server with --from and --from-application.')
  const key = firstNonEmpty(fromKey?.trim(), runtime.env['QUAYSIDE_FROM_API_KEY']?.trim())
  if (key === undefined)
    throw new Failure(
      'usage',
      'There is no API key for the other server. Set QUAYSIDE_FROM_API_KEY or --from-key.',
    )
  checkKey(key)
  return createApiSource({
    server: parseServerUrl(from),
    key,
    applicationId: fromApplication,
    output,
    signal,
  })
}

type Work = { source: ImportSource; state: ImportState; applicationId: string; summary: Summary }

async function importBuilds(
  context: CommandContext,
  client: QuaysideClient,
  { source, state, applicationId, summary }: Work,
): Promise<void> {
  const { output, signal } = context
  for await (const build of source.builds()) {
    signal.throwIfAborted()
    if (state.find('build', build.id) !== undefined) continue
    const files = await source.files(build)
    if (files === undefined) {
      summary.skipped_builds++
      output.note(`Skipped ${describeBuild(build)}, which was deleted.`)
      continue
    }
    await addCustomTarget(client, applicationId, build)
    const { buildId, sizeBytes } = await importBuild(context, client, { applicationId, build, files, state })
    summary.builds++
    summary.sent_bytes += sizeBytes
    output.note(`Imported ${describeBuild(build)} as ${buildId} (${formatSize(sizeBytes)})`)
  }
}

const describeBuild = ({ version, platform, stream }: SourceBuild): string =>
  `${version} for ${platform.identifier} in ${stream.name}`

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

async function importReleases(
  { signal, output }: CommandContext,
  client: QuaysideClient,
  { source, state, applicationId: application_id, summary }: Work,
): Promise<void> {
  for await (const release of source.releases()) {
    signal.throwIfAborted()
    if (state.find('release', release.id) !== undefined) continue
    const { data } = await client.createRelease(
      { application_id, body: releaseBody(release, state) },
      { signal, idempotencyKey: state.keyOf(release.id) },
    )
    if (release.status === 'withdrawn' && data.status === 'published')
      await client.withdrawRelease({ application_id, release_id: data.id }, { signal, idempotent: true })
    await state.add('release', release.id, data.id)
    summary.releases++
    output.note(`Imported the release ${release.title}`)
  }
}

function releaseBody(release: SourceRelease, state: ImportState) {
  const scheduledFor = release.scheduled_for ?? undefined
  const isFuture = scheduledFor !== undefined && Date.parse(scheduledFor) > Date.now()
  return {
    title: release.title,
    notes: release.notes,
    labels: release.labels.map(({ name }) => name),
    build_ids: release.build_ids.flatMap((id) => state.find('build', id) ?? []),
    version_component_1_major: release.version_semantic_major,
    version_component_2_minor: release.version_semantic_minor,
    version_component_3_patch: release.version_semantic_patch,
    version_component_extra: release.version_semantic_extra,
    version_component_meta: release.version_semantic_meta,
    ...(release.status === 'draft' || (release.status === 'scheduled' && !isFuture) ? { draft: true } : {}),
    ...(release.status === 'scheduled' && isFuture ? { scheduled_for: scheduledFor } : {}),
  }
}

const describe = (applicationId: string, { builds, skipped_builds, releases, sent_bytes }: Summary): string =>
  `Imported ${builds} builds (${formatSize(sent_bytes)}) and ${releases} releases into the application ${applicationId}.${
    skipped_builds === 0 ? '' : ` Skipped ${skipped_builds} builds that were deleted.`
  }`
