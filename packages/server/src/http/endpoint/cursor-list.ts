import { Type, type TSchema } from 'typebox'
import { uuidPattern } from '../../lib/ids.ts'
import { decodePosition, encodePosition, type ListPosition } from './cursor.ts'
import { Nullable } from './fields.ts'
import { invalid } from './validation.ts'

const defaultLimit = 100
const maxLimit = 100
const isUuid = new RegExp(uuidPattern)

const query = {
  after: Type.Optional(
    Type.String({ maxLength: 2000, description: '`cursor` of the previous page; omit it for the first.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxLimit,
      default: defaultLimit,
      description: 'Maximum number of entries.',
    }),
  ),
}

/**
 * A list whose pages continue after the time and the UUID of an entry. `feed` identifies the list and the version of its
 * cursor format.
 */
export const cursorList = (feed: string, noun: string) => ({
  query,
  returns: <Item extends TSchema>(item: Item) =>
    Type.Object({
      message: Type.String(),
      data: Type.Array(item),
      cursor: Nullable(
        Type.String({ description: `\`after\` for the next page; \`null\` if there are no more ${noun}.` }),
      ),
    }),
  /** Returns where the page starts, and how many rows to load: one more shows whether another page follows. */
  readPage({ after, limit = defaultLimit }: { after?: string | undefined; limit?: number | undefined }) {
    const position = after === undefined ? undefined : decodePosition(after, feed)
    if (after !== undefined && (position === undefined || !isUuid.test(position.id)))
      throw invalid({ after: ['must be the `cursor` of an earlier response. Omit it for the first page.'] })
    return { after: position, limit: limit + 1 }
  },
  /** Returns the rows to show, and the cursor of the next page. */
  pageOf<Row>(rows: readonly Row[], { limit }: { limit: number }, positionOf: (row: Row) => ListPosition) {
    const shown = rows.slice(0, limit - 1)
    const last = rows.length === limit ? shown.at(-1) : undefined
    return { shown, cursor: last === undefined ? null : encodePosition(feed, positionOf(last)) }
  },
})
