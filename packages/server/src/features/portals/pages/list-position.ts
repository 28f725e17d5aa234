import { decodePosition, encodePosition, type ListPosition } from '../../../http/endpoint/cursor.ts'

const releaseFeed = 'portal-1'

/** Returns the parameter that continues a list after an entry. */
export const positionText = (position: ListPosition): string => encodePosition(releaseFeed, position)

/** Returns the position in a parameter; a text that is not one starts the list from the beginning. */
export const readPosition = (text = ''): ListPosition | undefined => decodePosition(text, releaseFeed)
