import type { Config } from '../../config.ts'
import type { Tx } from '../../database/transaction.ts'
import { recordEvents } from '../../events/record-event.ts'
import { listFullBuilds, updateSomeBuildsOfStream } from '../builds/build.db.ts'
import { buildFacts } from '../builds/build.ts'
import type { MovedBy } from './moving-stream.db.ts'

type By = MovedBy & { config: Config }

/** How many builds move at once: each tells of itself with all that it is, in one statement. */
export const atOnce = 100

/**
 * Moves some builds of a stream to another one, and tells of each what a single move tells; of the trash nothing.
 * Answers how many: fewer than `atOnce` were the last ones.
 */
export async function moveSomeBuilds(
  tx: Tx,
  by: By,
  from: { id: string; name: string },
  to: string,
): Promise<number> {
  const rows = await updateSomeBuildsOfStream(tx, from.id, to, atOnce)
  const seen = rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)
  if (seen.length > 0) await tell(tx, by, seen, from.name)
  return rows.length
}

async function tell(tx: Tx, by: By, ids: string[], from: string): Promise<void> {
  const builds = await listFullBuilds(tx, ids, by.config)
  await recordEvents(
    tx,
    by,
    builds.map((build) => ({
      action: 'build.updated',
      applicationId: build.application_id,
      subject: { type: 'build', id: build.id },
      before: { ...buildFacts(build), stream: from },
      after: buildFacts(build),
      events: [
        { name: 'build.moved', data: { build } },
        { name: 'build.moved.stream', data: { build, stream: build.stream } },
      ],
    })),
  )
}
