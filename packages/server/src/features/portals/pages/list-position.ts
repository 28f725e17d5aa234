import { decodeCursor, encodeCursor } from '../../../http/endpoint/cursor.ts'
import type { Position } from './portal-contents.db.ts'

const releaseFeed = 'portal-1'

/** Returns the parameter that continues a list after an entry. */
export const positionText = ({ time, id }: Position): string => encodeCursor([releaseFeed, time, id])

/** Returns the position in a parameter; a text that is not one starts the list from the beginning. */
export function readPosition(text: string | undefined): Position | undefined {
  const [, time, id] = decodeCursor(text ?? '', releaseFeed) ?? []
  if (typeof time !== 'string' || typeof id !== 'string' || Number.isNaN(Date.parse(time))) return undefined
  return { time, id }
}
