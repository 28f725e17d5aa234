import type { ApplicationRef } from '../../access/application.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvents } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { invalid } from '../../http/endpoint/validation.ts'
import { notFound, type Problem } from '../../lib/problem.ts'
import { insertNamedLabels, selectLabelsNamed } from '../labels/label.db.ts'
import { requireStreamId } from '../streams/stream.db.ts'
import { listLockedBuildsOf, replaceLabelsOfBuilds, saveBuilds } from './build-change.db.ts'
import { type BuildRow, listFullBuilds } from './build.db.ts'
import { buildResource } from './build.ts'
import { hasSameIds, maxLabels, referenceConflicts, updateOf } from './change-build.ts'

/** A change that applies to every selected build. */
type Changes =
  | { keepForever: boolean }
  | { stream: string }
  | { addedLabels: string[] }
  | { removedLabels: string[] }

/**
 * Applies one change to builds in the caller's transaction, with an audit entry and the events of each. Returns a problem
 * for each build that does not exist or would have too many labels. Throws if the change is not possible for one of the
 * builds for another reason, or for none of them.
 */
export async function changeBuilds(
  tx: Tx,
  call: Call,
  application: ApplicationRef,
  ids: string[],
  changes: Changes,
): Promise<ReadonlyMap<string, Problem>> {
  return conflictsAs(referenceConflicts, async () => {
    const rows = await listLockedBuildsOf(tx, application.applicationId, ids)
    const builds = new Map(
      rows.map((row) => [row.id, { ...row, labels: buildResource(row, call.config).labels }]),
    )
    const problems =
      builds.size > 0 ? await applyChanges(tx, application, [...builds.values()], changes) : noProblems
    const changed = new Map(
      (await listFullBuilds(tx, [...builds.keys()], call.config)).map((build) => [build.id, build]),
    )
    const isMove = 'stream' in changes
    const updates = [...builds.values()].flatMap((before) => {
      const build = changed.get(before.id)
      return build === undefined || problems.has(before.id) ? [] : [updateOf(call, before, build, { isMove })]
    })
    await recordEvents(tx, call, updates)
    return new Map([
      ...problems,
      ...ids.filter((id) => !builds.has(id)).map((id) => [id, notFound()] as const),
    ])
  })
}

const noProblems: ReadonlyMap<string, Problem> = new Map()

/** Returns a problem for each build that would have too many labels; throws if all of them would. */
async function applyChanges(
  tx: Tx,
  application: ApplicationRef,
  builds: (BuildRow & { labels: Id[] })[],
  changes: Changes,
): Promise<ReadonlyMap<string, Problem>> {
  const ids = builds.map(({ id }) => id)
  if ('keepForever' in changes) {
    await saveBuilds(tx, ids, { keep_forever: changes.keepForever })
    return noProblems
  }
  if ('stream' in changes) {
    const stream_id = await requireStreamId(tx, application.applicationId, changes.stream)
    await saveBuilds(tx, ids, { stream_id })
    return noProblems
  }
  const labelsAfter =
    'addedLabels' in changes
      ? withAdded(await insertNamedLabels(tx, application, changes.addedLabels))
      : withoutRemoved(await selectLabelsNamed(tx, application, changes.removedLabels).execute())
  const labelled = builds.map((build) => ({
    ...build,
    before: build.labels,
    labels: labelsAfter(build.labels),
  }))
  const isTooMany = ({ labels }: { labels: Id[] }) => labels.length > maxLabels
  // The labels that were inserted are rolled back if no build gets them.
  if (labelled.every(isTooMany)) throw tooManyLabels()
  await replaceLabelsOfBuilds(
    tx,
    labelled.filter((build) => !isTooMany(build) && !hasSameIds(build.labels, build.before)),
  )
  return new Map(labelled.filter(isTooMany).map(({ id }) => [id, tooManyLabels()]))
}

type Id = { id: string }

const withAdded =
  (added: Id[]) =>
  (labels: Id[]): Id[] =>
    [...new Set([...labels, ...added].map(({ id }) => id))].map((id) => ({ id }))

const tooManyLabels = (): Problem =>
  invalid({
    labels: [
      `would give the build more than ${maxLabels} labels. Send fewer labels, or remove some from the build first.`,
    ],
  })

const withoutRemoved =
  (removed: Id[]) =>
  (labels: Id[]): Id[] =>
    labels.filter(({ id }) => !removed.some((label) => label.id === id))
