import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from '../http/endpoint/fields.ts'
import { isoMicroseconds } from '../lib/time.ts'

const Deleter = Type.Object(
  {
    kind: Type.Enum(['api-key', 'bootstrap-key', 'user', 'system']),
    id: Nullable(Type.String({ description: 'ID of the API key or user.' })),
    name: Type.String(),
  },
  { title: 'Deleter' },
)
export type Deleter = Static<typeof Deleter>

/** The fields that a resource has only while it is in the trash. */
export const trashFields = {
  deleted_at: Type.Optional(Timestamp),
  deleted_by: Type.Optional(Nullable(Deleter)),
  purge_at: Type.Optional(
    Type.String({
      ...Timestamp,
      description:
        'Time until which the resource can be restored. It is permanently deleted within the following hour.',
    }),
  ),
}

type Trashed = { deleted_at: string | null; deleted_by: Deleter | null }

/** Returns the time until which a resource that was deleted at `deletedAt` can be restored. */
export const purgeTime = (deletedAt: string, trashDays: number): string =>
  isoMicroseconds(new Date(Date.parse(deletedAt) + trashDays * 24 * 60 * 60 * 1000))

/** Returns the trash fields of a row, or no fields if it is not in the trash. */
export const trashState = ({ deleted_at, deleted_by }: Trashed, trashDays: number) =>
  deleted_at === null ? {} : { deleted_at, deleted_by, purge_at: purgeTime(deleted_at, trashDays) }
