import { Type, type Static, type TSchema } from 'typebox'
import { Nullable } from './fields.ts'

const Pagination = Type.Object(
  {
    current_page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
    last_page: Type.Integer(),
    from: Nullable(Type.Integer()),
    to: Nullable(Type.Integer()),
  },
  { title: 'Pagination' },
)

export const pageOf = <T extends TSchema>(resource: T) =>
  Type.Object({ message: Type.String(), data: Type.Array(resource), pagination: Pagination })

export const pageQuery = (defaultPerPage: number) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: 'Page number, starting at 1.',
    }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: defaultPerPage })),
})

export const sortQuery = <const K extends string>(keys: K[], byDefault: NoInfer<K>) => ({
  sort_by: Type.Optional(Type.Enum(keys, { default: byDefault })),
  sort: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc' })),
})

/** Returns the schema of a search parameter. The contract limits some searches to 50 characters (section 4.2). */
export const searchQuery = (where: string, maxLength: 50 | 100 = 100) =>
  Type.Optional(Type.String({ maxLength, description: `Case-insensitive search in ${where}.` }))

export type Page = { limit: number; offset: number; number: number }

export function pageFrom(query: { page?: number; per_page?: number }, defaultPerPage: number): Page {
  const limit = query.per_page ?? defaultPerPage
  const number = query.page ?? 1
  return { limit, number, offset: Math.min((number - 1) * limit, Number.MAX_SAFE_INTEGER) }
}

export function pagination(page: Page, total: number, rows: number): Static<typeof Pagination> {
  return {
    current_page: page.number,
    per_page: page.limit,
    total,
    last_page: Math.max(1, Math.ceil(total / page.limit)),
    from: rows === 0 ? null : page.offset + 1,
    to: rows === 0 ? null : page.offset + rows,
  }
}
