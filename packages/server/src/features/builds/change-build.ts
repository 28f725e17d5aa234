import { Type, type Static } from 'typebox'
import type { ApplicationRef } from '../../access/application.db.ts'
import { architectureErrors } from '../../catalog/platforms.ts'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { changesOf } from '../../http/changes.ts'
import type { Call } from '../../http/endpoint.ts'
import { name, Nullable, reference, text } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { versionColumns, versionParts } from '../../http/version-parts.ts'
import { Problem } from '../../lib/problem.ts'
import { findTargetForPlatform } from '../custom-targets/custom-target.db.ts'
import { insertNamedLabels, selectLabelsNamed } from '../labels/label.db.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { requireLockedBuild, saveBuild, replaceLabelsOfBuild } from './build-change.db.ts'
import type { BuildRow } from './build.db.ts'
import { buildAuditSnapshot, buildResource, requireFullBuild, type FullBuild } from './build.ts'

export const LabelNames = Type.Array(
  name(50, 'ID or name of a label. A label that does not exist yet is created.'),
  {
    maxItems: 10,
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

type Changes = BuildChanges & { addLabels?: string[]; removeLabels?: string[] }

/** Applies the changes to a build, records an event and returns the updated build. */
export async function changeBuild(
  call: Call,
  applicationId: string,
  id: string,
  changes: Changes,
): Promise<FullBuild> {
  const gone = () =>
    new Problem(
      'conflict',
      'build.reference_gone',
      'The stream, label or custom target was just deleted. Choose another one.',
    )
  const problems: Conflicts = {
    builds_stream_id_application_id_fkey: gone,
    builds_custom_target_id_workspace_id_platform_fkey: gone,
    build_labels_label_id_workspace_id_fkey: gone,
  }
  return conflictsAs(problems, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedBuild(tx, applicationId, id)
      const labels = await labelsAfter(tx, before, changes)
      const hasNewLabels = labels !== undefined && !hasSameIds(labels, before.labels)
      await saveBuild(tx, id, await columnsFor(tx, before, changes))
      if (hasNewLabels) await replaceLabelsOfBuild(tx, before, labels)
      const build = await requireFullBuild(tx, applicationId, id, call.config)
      const added = build.labels.filter((label) => !before.labels.some((had) => had.id === label.id))
      // Only requested moves are recorded here. The job that empties a deleted stream records the moves it makes.
      const hasMoved = changes.stream !== undefined && build.stream.id !== before.stream_id
      await recordEvent(tx, call, {
        action: 'build.updated',
        applicationId,
        subject: { type: 'build', id },
        before: buildAuditSnapshot(buildResource(before, call.config)),
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
      })
      return build
    }),
  )
}

const hasSameIds = (a: { id: string }[], b: { id: string }[]): boolean =>
  a.length === b.length && a.every(({ id }) => b.some((other) => other.id === id))

const refOf = ({ application_id, workspace_id }: BuildRow): ApplicationRef => ({
  applicationId: application_id,
  workspaceId: workspace_id,
})

async function labelsAfter(tx: Tx, build: BuildRow, { labels, addLabels, removeLabels }: Changes) {
  const current = build.labels.map(({ id }) => id)
  if (labels !== undefined) return insertNamedLabels(tx, refOf(build), labels)
  if (addLabels !== undefined) {
    const all = await insertNamedLabels(tx, refOf(build), [...current, ...addLabels])
    if (all.length > 10)
      throw invalid({
        labels: [
          'would give the build more than 10 labels. Send fewer labels, or remove some from the build first.',
        ],
      })
    return all
  }
  if (removeLabels === undefined) return undefined
  const removed = await selectLabelsNamed(tx, refOf(build), removeLabels).execute()
  return insertNamedLabels(
    tx,
    refOf(build),
    current.filter((id) => !removed.some((label) => label.id === id)),
  )
}

async function columnsFor(tx: Tx, build: BuildRow, changes: Changes) {
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
