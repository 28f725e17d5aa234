import { Type, type Static } from 'typebox'
import type { ApplicationRef } from '../../access/application.db.ts'
import { architectureErrors } from '../../catalog/platforms.ts'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent, type Change } from '../../events/record-event.ts'
import { changesOf } from '../../http/endpoint/changes.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { Nullable, reference, text, segmentName } from '../../http/endpoint/fields.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { versionColumns, versionParts } from '../../http/endpoint/version-parts.ts'
import { problem } from '../../lib/problem.ts'
import { findTargetForPlatform } from '../custom-targets/custom-target.db.ts'
import { insertNamedLabels } from '../labels/label.db.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { replaceLabelsOfBuilds, requireLockedBuild, saveBuilds } from './build-change.db.ts'
import { type BuildRow, requireFullBuild } from './build.db.ts'
import { buildAuditSnapshot, buildResource, type FullBuild } from './build.ts'

export const maxLabels = 10

export const LabelNames = Type.Array(
  segmentName(50, 'ID or name of a label. A label that does not exist yet is created.'),
  {
    maxItems: maxLabels,
    description: 'IDs or names of labels. Labels that do not exist yet are created.',
  },
)

export const ArchitectureIdentifiers = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 15,
  description:
    'Architecture identifiers, as listed by `GET /applications/{application_id}/platforms/{platform}/architectures`.',
})

export const StreamIdentifier = reference(255, 'ID or name of a stream.', {
  minLength: 1,
  examples: ['default'],
})

export const BuildChanges = changesOf({
  notes: Nullable(text(1000)),
  ...versionParts,
  custom_build_number: Nullable(text(100)),
  stream: StreamIdentifier,
  labels: LabelNames,
  architectures: ArchitectureIdentifiers,
  custom_target: Nullable(reference(255, 'ID or name of a custom target. `null` removes it.')),
  keep_forever: Type.Boolean({ description: 'Exempts the build from retention.' }),
})
export type BuildChanges = Static<typeof BuildChanges>

/** Applies the changes to a build, records an event and returns the updated build. */
export async function changeBuild(
  call: Call,
  applicationId: string,
  id: string,
  changes: BuildChanges,
): Promise<FullBuild> {
  return conflictsAs(referenceConflicts, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedBuild(tx, applicationId, id)
      const labels =
        changes.labels === undefined ? undefined : await insertNamedLabels(tx, refOf(before), changes.labels)
      const hasNewLabels =
        labels !== undefined && !hasSameIds(labels, buildResource(before, call.config).labels)
      await saveBuilds(tx, [id], await columnsFor(tx, before, changes))
      if (hasNewLabels) await replaceLabelsOfBuilds(tx, [{ ...before, labels }])
      const build = await requireFullBuild(tx, applicationId, id, call.config)
      await call.dependents.notifyMentioned(tx, call, {
        ...refOf(before),
        buildId: id,
        text: build.notes,
        before: before.notes,
      })
      await recordEvent(tx, call, updateOf(call, before, build, { isMove: changes.stream !== undefined }))
      return build
    }),
  )
}

export const referenceGone = problem(
  'conflict',
  'build.reference_gone',
  'The stream, label or custom target was just deleted. Choose another one.',
)

export const referenceConflicts: Conflicts = {
  builds_stream_id_application_id_fkey: referenceGone,
  builds_custom_target_id_workspace_id_platform_fkey: referenceGone,
  build_labels_label_id_workspace_id_fkey: referenceGone,
}

/**
 * Returns the audit entry and the events of an updated build. Set `isMove` if a move was requested: the job that empties
 * a deleted stream records the moves it makes.
 */
export function updateOf(
  { config }: Pick<Call, 'config'>,
  before: BuildRow,
  build: FullBuild,
  { isMove }: { isMove: boolean },
): Change {
  const earlier = buildResource(before, config)
  const added = build.labels.filter((label) => !earlier.labels.some((had) => had.id === label.id))
  const hasMoved = isMove && build.stream.id !== before.stream_id
  return {
    action: 'build.updated',
    applicationId: before.application_id,
    subject: { type: 'build', id: build.id },
    before: buildAuditSnapshot(earlier),
    after: buildAuditSnapshot(build),
    events: [
      ...(hasMoved
        ? ([
            { name: 'build.moved', data: { build } },
            { name: 'build.moved.stream', data: { build, stream: build.stream } },
          ] as const)
        : []),
      ...added.map((label) => ({ name: 'build.label.added', data: { build, label } }) as const),
    ],
  }
}

export const hasSameIds = (a: { id: string }[], b: { id: string }[]): boolean =>
  a.length === b.length && a.every(({ id }) => b.some((other) => other.id === id))

const refOf = ({ application_id, workspace_id }: BuildRow): ApplicationRef => ({
  applicationId: application_id,
  workspaceId: workspace_id,
})

async function columnsFor(tx: Tx, build: BuildRow, changes: BuildChanges) {
  const { notes, custom_build_number, keep_forever, architectures } = changes
  return {
    ...versionColumns(changes, build),
    ...(notes === undefined ? {} : { notes: notes || null }),
    ...(custom_build_number === undefined ? {} : { build_number: custom_build_number || null }),
    ...(keep_forever === undefined ? {} : { keep_forever }),
    ...(architectures === undefined
      ? {}
      : { architectures: requireArchitectures(build.platform, architectures) }),
    ...(changes.stream === undefined
      ? {}
      : { stream_id: await requireStreamId(tx, build.application_id, changes.stream) }),
    ...(changes.custom_target === undefined ? {} : await customTargetOf(tx, build, changes.custom_target)),
  }
}

function requireArchitectures(platform: string, architectures: string[]): string[] {
  const errors = architectureErrors(platform, architectures)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return [...new Set(architectures)]
}

async function customTargetOf(tx: Tx, build: BuildRow, given: string | null) {
  if (given === null || given === '') return { custom_target_id: null }
  const found = await findTargetForPlatform(tx, refOf(build), { idOrName: given, platform: build.platform })
  if ('reason' in found) throw invalid({ custom_target: [found.reason] })
  return { custom_target_id: found.id }
}
