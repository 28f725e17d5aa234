import { QuaysideError } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import type { ImportWork } from './import-builds.ts'
import type { SourceRelease } from './import-source.ts'
import type { ImportState } from './import-state.ts'

/** Creates the releases that earlier runs have not created, and returns their number. */
export async function importReleases({ signal, output }: CommandContext, work: ImportWork): Promise<number> {
  const { client, application_id, source, state } = work
  let created = 0
  for await (const release of source.releases()) {
    signal.throwIfAborted()
    const known = state.find('release', release.id)
    if (known !== undefined) {
      await addLaterBuilds(work, release, known, signal)
      continue
    }
    const { data } = await client.createRelease(
      { application_id, body: releaseBody(release, state) },
      { signal, idempotencyKey: state.keyOf(release.id) },
    )
    if (release.status === 'withdrawn' && data.status === 'published')
      await client.withdrawRelease({ application_id, release_id: data.id }, { signal, idempotent: true })
    await state.add('release', release.id, data.id)
    created++
    output.note(`Imported the release ${release.title}`)
  }
  return created
}

/** Adds the builds to a release that were imported after the run that created it. */
async function addLaterBuilds(
  { client, application_id, state, report }: ImportWork,
  release: SourceRelease,
  release_id: string,
  signal: AbortSignal,
): Promise<void> {
  for (const id of release.build_ids) {
    const build_id = state.find('build', id)
    const addition = `${release.id} ${id}`
    if (build_id === undefined || !state.isLater(id, release.id)) continue
    if (state.find('release_build', addition) !== undefined) continue
    try {
      await client.addReleaseBuild({ application_id, release_id, build_id }, { signal, idempotent: true })
      await state.add('release_build', addition, build_id)
    } catch (error) {
      if (!(error instanceof QuaysideError) || ![403, 404, 409, 422].includes(error.status)) throw error
      report.notImported.push({
        what: `a later build of the release ${release.title}`,
        reason: error.message,
      })
    }
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
