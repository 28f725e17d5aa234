import { decodeCursor, encodeCursor } from '../http/endpoint/cursor.ts'

/**
 * A place in the order of all changes. `position` identifies a transaction, and the other fields identify a change in
 * it. If they are empty, the place precedes all changes of the transaction.
 */
export type ChangePosition = { position: number; type: string; id: string; owner: string }

const feed = 'events.1'
const maxCursorLength = 2000

/** The place before all changes. */
export const firstPosition: ChangePosition = { position: 0, type: '', id: '', owner: '' }

/** Returns the place after all changes of the transaction. */
export const afterTransaction = ({ position }: ChangePosition): ChangePosition => ({
  ...firstPosition,
  position: position + 1,
})

/** Returns whether `a` follows `b`. The order is that of COLLATE "C" in PostgreSQL, because all text is ASCII. */
export function isAfter(a: ChangePosition, b: ChangePosition): boolean {
  if (a.position !== b.position) return a.position > b.position
  if (a.type !== b.type) return a.type > b.type
  return a.id === b.id ? a.owner > b.owner : a.id > b.id
}

export const positionText = ({ position, type, id, owner }: ChangePosition): string =>
  encodeCursor([feed, position, type, id, owner])

/** Decodes a place that a client sent. Returns undefined if the text is not valid. */
export function readPosition(text: string): ChangePosition | undefined {
  const values = text.length > maxCursorLength ? [] : (decodeCursor(text, feed) ?? [])
  const [, position, type, id, owner] = values
  if (
    values.length !== 5 ||
    typeof position !== 'number' ||
    typeof type !== 'string' ||
    typeof id !== 'string' ||
    typeof owner !== 'string'
  )
    return undefined
  return { position, type, id, owner }
}
