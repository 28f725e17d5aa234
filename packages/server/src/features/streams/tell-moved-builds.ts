import type { Tx } from '../../database/transaction.ts'
import { recordEvents } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { listFullBuilds } from '../builds/build.db.ts'
import { buildFacts } from '../builds/build.ts'

const atOnce = 200

/** Tells of each build that went to another stream with all its neighbours what a single move tells. */
export async function tellMovedBuilds(
  tx: Tx,
  call: Call,
  ids: string[],
  from: { name: string },
): Promise<void> {
  for (let start = 0; start < ids.length; start += atOnce) {
    const builds = await listFullBuilds(tx, ids.slice(start, start + atOnce), call.config)
    await recordEvents(
      tx,
      call,
      builds.map((build) => ({
        action: 'build.updated',
        applicationId: build.application_id,
        subject: { type: 'build', id: build.id },
        before: { ...buildFacts(build), stream: from.name },
        after: buildFacts(build),
        events: [
          { name: 'build.moved', data: { build } },
          { name: 'build.moved.stream', data: { build, stream: build.stream } },
        ],
      })),
    )
  }
}
