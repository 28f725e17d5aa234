import { inTransaction } from '../../database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { job } from '../../jobs/job.ts'
import { requireSoundClock } from '../../jobs/sound-clock.ts'
import { Problem } from '../../lib/problem.ts'
import { listStreamsWithRetention } from '../streams/stream.db.ts'
import { type Cursor, findIsExpired, listExpiredBuilds, lockBuildUnlessHeld } from './build-trash.db.ts'
import { trashBuild } from './trash-build.ts'

const atOnce = 200

/**
 * Retention: puts builds into the trash whose days in their stream are over and which nothing keeps. Each build is a
 * transaction of its own, so that a run that is cut off, or two at once, leave nothing half done.
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
    for (const { id } of expired) {
      if (stopping?.aborted === true) return count
      if (await trashIfStillExpired(deps, stream, id)) count++
    }
    last = expired.length < atOnce ? undefined : expired.at(-1)
  } while (last !== undefined)
  return count
}

async function trashIfStillExpired(deps: Deps, stream: Stream, id: string): Promise<boolean> {
  const { db, config, log } = deps
  const { application_id: applicationId, workspace_id: workspaceId } = stream
  const by = { actor: { via: 'system', keyId: null, name: 'Retention', workspaceId }, address: null } as const
  try {
    return await inTransaction(db, async (tx) => {
      if (!(await lockBuildUnlessHeld(tx, id)) || !(await findIsExpired(tx, id))) return false
      await trashBuild(tx, { ...by, config }, applicationId, id)
      return true
    })
  } catch (error) {
    // one build that cannot be read must not keep the others for ever
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    log.error({ err: error, build: id }, 'retention could not put a build into the trash')
    return false
  }
}
