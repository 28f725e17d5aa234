import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { togetherOrAlone } from '../../jobs/together-or-alone.ts'
import { listStreamsWithRetention } from '../streams/stream.db.ts'
import { type Cursor, listExpiredBuilds, listStillExpired, lockBuildsUnlessHeld } from './build-trash.db.ts'
import { trashBuilds } from './trash-build.ts'

const atOnce = 100

/**
 * Retention: puts builds into the trash whose days in their stream are over and which nothing keeps. Some at once are a
 * transaction, so that a run that is cut off, or two at once, leave nothing half done and nobody waits long.
 */
export const expireBuilds = job({
  name: 'builds.expire',
  schedule: '11 * * * *',
  retries: 0,
  expireInSeconds: 6 * 60 * 60,
  handle: (deps, _, stopping) => trashExpiredBuilds(deps, stopping),
})

type Stream = Awaited<ReturnType<typeof listStreamsWithRetention>>[number]

export async function trashExpiredBuilds(deps: Deps, stopping?: AbortSignal): Promise<void> {
  await requireSoundClock(deps)
  for (const stream of await listStreamsWithRetention(deps.db)) {
    const builds = await trashExpiredBuildsOf(deps, stream, stopping)
    const { id, application_id: application } = stream
    if (builds > 0) deps.log.info({ application, stream: id, builds }, 'retention put builds into the trash')
  }
}

async function trashExpiredBuildsOf(deps: Deps, stream: Stream, stopping?: AbortSignal): Promise<number> {
  let count = 0
  let last: Cursor | undefined
  do {
    const expired = await listExpiredBuilds(deps.db, stream.id, last, atOnce)
    if (stopping?.aborted === true) return count
    count += await togetherOrAlone(
      expired.map(({ id }) => id),
      {
        work: (ids) => trashThoseStillExpired(deps, stream, ids),
        onError: (err, build) =>
          deps.log.error({ err, build }, 'retention could not put a build into the trash'),
      },
    )
    last = expired.length < atOnce ? undefined : expired.at(-1)
  } while (last !== undefined)
  return count
}

async function trashThoseStillExpired({ db, config }: Deps, stream: Stream, ids: string[]): Promise<number> {
  const { application_id: applicationId, workspace_id: workspaceId } = stream
  const by = { actor: { via: 'system', keyId: null, name: 'Retention', workspaceId }, address: null } as const
  return inTransaction(db, async (tx) => {
    const expired = await listStillExpired(tx, await lockBuildsUnlessHeld(tx, ids))
    await trashBuilds(tx, { ...by, config }, applicationId, expired)
    return expired.length
  })
}
