import { Type, type Static } from 'typebox'
import type { Executor } from '../database/transaction.ts'
import { Nullable, Timestamp } from '../http/fields.ts'
import { isoMicroseconds } from '../lib/time.ts'
import { listLatestActors } from './event.db.ts'

const Deleter = Type.Object(
  {
    kind: Type.Enum(['api-key', 'bootstrap-key', 'user', 'system']),
    id: Nullable(Type.String({ description: 'ID of the API key or user.' })),
    name: Type.String(),
  },
  { title: 'Deleter' },
)

/** The fields that a resource has only in a list of the trash. */
export const trashFields = {
  deleted_at: Type.Optional(Timestamp),
  deleted_by: Type.Optional(Nullable(Deleter)),
  purge_at: Type.Optional(
    Type.String({
      ...Timestamp,
      description: 'Until when it can be restored. It is deleted permanently within the hour after that.',
    }),
  ),
}

type Trash = { workspaceId: string; type: 'build' | 'application'; trashDays: number }

/** Returns a function from a row in the trash to the fields about its deletion. */
export async function trashState(
  db: Executor,
  { workspaceId, type, trashDays }: Trash,
  rows: { id: string }[],
) {
  const ids = rows.map(({ id }) => id)
  const actors = await listLatestActors(db, workspaceId, { type, action: `${type}.deleted`, ids })
  return ({ id, deleted_at }: { id: string; deleted_at: string | null }) => {
    if (deleted_at === null) return {}
    const purgeAt = new Date(Date.parse(deleted_at) + trashDays * 24 * 60 * 60 * 1000)
    const actor = actors.get(id)
    const deleter =
      actor === undefined ? null : { ...actor, kind: actor.kind as Static<typeof Deleter>['kind'] }
    return { deleted_at, deleted_by: deleter, purge_at: isoMicroseconds(purgeAt) }
  }
}
