import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Executor } from '../../database/transaction.ts'
import { selectCustomTargetsNamed } from '../custom-targets/custom-target.db.ts'
import { unknownCustomTargets } from '../custom-targets/custom-target.ts'
import { selectLabelsNamed } from '../labels/label.db.ts'
import { namedLabels } from '../labels/label.ts'
import { selectStreamsWithMoving } from '../streams/stream.db.ts'
import { unknownStreams } from '../streams/stream.ts'

type Owner = { applicationId: string; workspaceId: string }
type Given = Record<'streams' | 'labels' | 'customTargets', string[] | undefined>

/** What the given texts name, looked up in one statement, and which of them name nothing here. */
export async function findNamedInFilter(db: Executor, owner: Owner, given: Given) {
  const { streams = [], labels = [], customTargets = [] } = given
  if (streams.length + labels.length + customTargets.length === 0) return undefined
  const found = await db
    .selectFrom('workspaces')
    .where('id', '=', owner.workspaceId)
    .select('custom_targets_enabled')
    .select([
      jsonArrayFrom(selectStreamsWithMoving(db, owner.applicationId, streams)).as('streams'),
      jsonArrayFrom(selectLabelsNamed(db, owner, labels)).as('labels'),
      jsonArrayFrom(selectCustomTargetsNamed(db, owner, customTargets)).as('targets'),
    ])
    .executeTakeFirstOrThrow()
  return {
    streams: {
      ids: found.streams.flatMap(({ id, moving_ids }) => [id, ...moving_ids]),
      unknown: unknownStreams(streams, found.streams),
    },
    labels: namedLabels(labels, found.labels),
    customTargets: {
      ids: idsOf(found.targets),
      unknown: unknownCustomTargets(customTargets, found.targets),
      enabled: found.custom_targets_enabled,
    },
  }
}

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)
