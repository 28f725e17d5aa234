import type { Tx } from '../../database/transaction.ts'
import { recordEvents } from '../../events/record-event.ts'
import type { Call } from '../../http/endpoint.ts'
import { listFullBuilds, updateSomeBuildsOfStream } from '../builds/build.db.ts'
import { buildFacts } from '../builds/build.ts'

// no statement runs into its time limit, however many builds a stream holds
const atOnce = 250

/** Moves every build of a stream to another one, and tells of each what a single move tells; of the trash nothing. */
export async function moveBuilds(tx: Tx, call: Call, from: { id: string; name: string }, to: string) {
  for (let moved = atOnce; moved === atOnce;) {
    const rows = await updateSomeBuildsOfStream(tx, from.id, to, atOnce)
    moved = rows.length
    const seen = rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)
    if (seen.length > 0) await tell(tx, call, seen, from.name)
  }
}

async function tell(tx: Tx, call: Call, ids: string[], from: string): Promise<void> {
  const builds = await listFullBuilds(tx, ids, call.config)
  await recordEvents(
    tx,
    call,
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
