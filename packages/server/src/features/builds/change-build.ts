import { Type, type Static } from 'typebox'
import { architectureErrors } from '../../catalog/platforms.ts'
import { conflictsAs, type Conflicts } from '../../database/conflicts.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import { recordEvent } from '../../events/record-event.ts'
import { changesOf } from '../../http/changes.ts'
import type { Call } from '../../http/endpoint.ts'
import { name, Nullable, text } from '../../http/fields.ts'
import { invalid } from '../../http/validation.ts'
import { versionColumns, versionParts } from '../../http/version-parts.ts'
import { Problem } from '../../lib/problem.ts'
import { findFittingTarget } from '../custom-targets/custom-target.db.ts'
import { findLabelIds, insertNamedLabels } from '../labels/label.db.ts'
import { findStreamId } from '../streams/stream.db.ts'
import { requireLockedBuild, updateBuild, updateBuildLabels } from './build-change.db.ts'
import { requireFullBuild, type BuildRow } from './build.db.ts'
import { buildFacts, buildResource, type FullBuild } from './build.ts'

export const LabelNames = Type.Array(name(50, 'Id or name; a name that is new makes a label.'), {
  maxItems: 10,
  description: 'Ids or names of labels; new names are created.',
})

export const ArchitectureIdentifiers = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 15,
  description:
    'Identifiers: GET /applications/{application_id}/platforms/{platform}/architectures lists them.',
})

export const StreamIdentifier = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Id or exact name of an active stream.',
  examples: ['default'],
})

export const BuildChanges = changesOf({
  notes: Nullable(text(1000)),
  ...versionParts,
  custom_build_number: Nullable(text(100)),
  stream: StreamIdentifier,
  labels: LabelNames,
  architectures: ArchitectureIdentifiers,
  custom_target: Nullable(text(255, 'Id or name of a custom target; null takes it away.')),
  keep_forever: Type.Boolean({ description: 'Retention leaves the build alone.' }),
})
export type BuildChanges = Static<typeof BuildChanges>

type Wish = BuildChanges & { addLabels?: string[]; removeLabels?: string[] }
type Place = { id: string; workspace_id: string }

/** Changes what is given of one build, tells it in the audit log and to webhooks, and answers the build. */
export async function changeBuild(
  call: Call,
  application: Place,
  id: string,
  wish: Wish,
): Promise<FullBuild> {
  const gone = () =>
    new Problem('conflict', 'build.reference_gone', 'The stream, label or custom target was just deleted.')
  const problems: Conflicts = {
    builds_stream_id_application_id_fkey: gone,
    builds_custom_target_id_workspace_id_platform_fkey: gone,
    build_labels_label_id_workspace_id_fkey: gone,
  }
  return conflictsAs(problems, () =>
    inTransaction(call.db, async (tx) => {
      const before = await requireLockedBuild(tx, application.id, id)
      const labels = await labelsAfter(tx, before, wish)
      await updateBuild(tx, id, await columnsFor(tx, before, wish))
      if (labels !== undefined) await updateBuildLabels(tx, before, labels)
      const build = await requireFullBuild(tx, application.id, id, call.config)
      const added = build.labels.filter((label) => !before.labels.some((had) => had.id === label.id))
      // one on its way tells of it when it gets there, unless it is sent there by name
      const hasMoved = wish.stream !== undefined && build.stream.id !== before.stream_id
      await recordEvent(tx, call, {
        action: 'build.updated',
        applicationId: application.id,
        subject: { type: 'build', id },
        before: buildFacts(buildResource(before, call.config)),
        after: buildFacts(build),
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

const ownerOf = ({ application_id, workspace_id }: BuildRow) => ({
  applicationId: application_id,
  workspaceId: workspace_id,
})

async function labelsAfter(tx: Tx, build: BuildRow, { labels, addLabels, removeLabels }: Wish) {
  const had = build.labels.map(({ id }) => id)
  if (labels !== undefined) return insertNamedLabels(tx, ownerOf(build), labels.map(trimmed))
  if (addLabels !== undefined) {
    const all = await insertNamedLabels(tx, ownerOf(build), [...had, ...addLabels.map(trimmed)])
    if (all.length > 10) throw invalid({ labels: ['would leave the build with more than 10 labels.'] })
    return all
  }
  if (removeLabels === undefined) return undefined
  const removed = await findLabelIds(tx, ownerOf(build), removeLabels.map(trimmed))
  return insertNamedLabels(
    tx,
    ownerOf(build),
    had.filter((id) => !removed.ids.includes(id)),
  )
}

async function columnsFor(tx: Tx, build: BuildRow, wish: Wish) {
  const { notes, custom_build_number, keep_forever, architectures } = wish
  return {
    ...versionColumns(wish, build),
    ...(notes === undefined ? {} : { notes: notes === '' ? null : notes }),
    ...(custom_build_number === undefined
      ? {}
      : { build_number: custom_build_number === '' ? null : custom_build_number }),
    ...(keep_forever === undefined ? {} : { keep_forever }),
    ...(architectures === undefined ? {} : { architectures: supported(build.platform, architectures) }),
    ...(wish.stream === undefined ? {} : { stream_id: await streamIdOf(tx, build, wish.stream) }),
    ...(wish.custom_target === undefined ? {} : await targetOf(tx, build, wish.custom_target)),
  }
}

function supported(platform: string, architectures: string[]): string[] {
  const errors = architectureErrors(platform, architectures)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return [...new Set(architectures)]
}

async function streamIdOf(tx: Tx, build: BuildRow, given: string): Promise<string> {
  const id = await findStreamId(tx, build.application_id, given)
  if (id === undefined) throw invalid({ stream: [`"${given}" is not a stream of this application.`] })
  return id
}

async function targetOf(tx: Tx, build: BuildRow, given: string | null) {
  if (given === null || given === '') return { custom_target_id: null }
  const found = await findFittingTarget(tx, ownerOf(build), { idOrName: given, platform: build.platform })
  if ('wrong' in found) throw invalid({ custom_target: [found.wrong] })
  return { custom_target_id: found.id }
}

const trimmed = (label: string): string => label.trim()
