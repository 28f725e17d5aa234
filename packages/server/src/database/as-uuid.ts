import { sql, type RawBuilder } from 'kysely'

/** A text from outside as the uuid that it spells, null where it spells none: an index on ids serves it. */
export const asUuid = (text: string): RawBuilder<string> =>
  sql<string>`(case when ${text}::text ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::text end)::uuid`
