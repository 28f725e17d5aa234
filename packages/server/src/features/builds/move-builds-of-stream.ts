import type { Config } from '../../config/config.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvents, type Initiator } from '../../events/record-event.ts'
import { moveSomeBuilds } from './build-change.db.ts'
import { listFullBuilds } from './build.db.ts'
import { buildAuditSnapshot } from './build.ts'

// Limits the statement size, because each event contains the entire build.
const batchSize = 100

/**
 * Moves the next batch of builds from one stream to another, including builds in the trash. For builds that are not in
 * the trash, records the same audit entries and events as individual moves. Returns whether more builds may remain.
 */
export async function moveSomeBuildsOfStream(
  tx: Tx,
  by: Initiator & { config: Config },
  from: { id: string; name: string },
  toId: string,
): Promise<boolean> {
  const moved = await moveSomeBuilds(tx, from.id, toId, batchSize)
  const ids = moved.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)
  if (ids.length > 0) await recordMoves(tx, by, ids, from.name)
  return moved.length === batchSize
}

async function recordMoves(
  tx: Tx,
  by: Initiator & { config: Config },
  ids: string[],
  from: string,
): Promise<void> {
  const builds = await listFullBuilds(tx, ids, by.config)
  await recordEvents(
    tx,
    by,
    builds.map((build) => ({
      action: 'build.updated',
      applicationId: build.application_id,
      subject: { type: 'build', id: build.id },
      before: { ...buildAuditSnapshot(build), stream: from },
      after: buildAuditSnapshot(build),
      events: [
        { name: 'build.moved', data: { build } },
        { name: 'build.moved.stream', data: { build, stream: build.stream } },
      ],
    })),
  )
}
