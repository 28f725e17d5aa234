import { sql, type RawBuilder } from 'kysely'
import { IsOptional, type Static, type TObject, type TSchema } from 'typebox'
import type { Config } from '../config/config.ts'
import { Timestamp } from '../http/endpoint/fields.ts'
import type { Database } from './tables.ts'

type Part = string | RawBuilder<unknown>

/** SQL that returns JSON as text. */
export class JsonText<T> {
  declare readonly value: T
  readonly parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.parts = parts
  }

  /** Returns the expression. Uses format() instead of concat(), because texts between the values then cost less. */
  get text(): RawBuilder<string> {
    const calls: RawBuilder<string>[] = []
    let template = ''
    let values: RawBuilder<unknown>[] = []
    for (const part of this.parts) {
      if (values.length === maxArguments) {
        calls.push(formatted(template, values))
        template = ''
        values = []
      }
      template += typeof part === 'string' ? part.replaceAll('%', '%%') : '%s'
      if (typeof part !== 'string') values.push(part)
    }
    return sql<string>`(${sql.join([...calls, formatted(template, values)], sql` || `)})`
  }
}

// A function takes at most 100 arguments.
const maxArguments = 90
const { pattern: timestampPattern } = Timestamp as { pattern?: string }

const formatted = (template: string, values: readonly RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`format(${sql.join([sql.lit(template), ...values])})`

type Source<T> = RawBuilder<T> | RawBuilder<string> | JsonText<T>

/** The SQL of each field. A field without it is the column of the same name. */
type Sources<S extends TObject, Columns> = {
  [Name in Exclude<keyof Static<S>, Columns>]-?: Source<Static<S>[Name]>
} & { [Name in Extract<keyof Static<S>, Columns>]?: Source<Static<S>[Name]> }

/**
 * Returns SQL for the JSON of a resource, with the fields, their order and their formats from its schema. Formatting
 * texts takes PostgreSQL less time than json_build_object. Optional fields are present only if `presence` is true.
 */
export function jsonObject<S extends TObject, Table extends keyof Database>(
  schema: S,
  table: Table,
  sources: Sources<S, keyof Database[Table]>,
  presence: RawBuilder<boolean> = sql<boolean>`true`,
): JsonText<Static<S>> {
  const given = sources as Record<string, Source<unknown> | undefined>
  const parts = Object.entries(schema.properties).flatMap(([name, property], index) => {
    const source = given[name] ?? sql.ref(`${table}.${name}`)
    const field = [`${index === 0 ? '' : ','}"${name}":`, ...valueOf(property, source)]
    return IsOptional(property)
      ? [sql`case when ${presence} then ${new JsonText<unknown>(field).text} end`]
      : field
  })
  return new JsonText(['{', ...parts, '}'])
}

function valueOf(schema: TSchema, source: Source<unknown>): readonly Part[] {
  if (source instanceof JsonText) return source.parts
  const { type, pattern, anyOf } = schema as {
    type?: string
    pattern?: string
    anyOf?: [TSchema & { type?: string; pattern?: string }]
  }
  const { type: kind = type, pattern: format = pattern } = anyOf?.[0] ?? {}
  if (format === timestampPattern)
    return [
      sql`coalesce(to_char(${source} at time zone 'UTC', '"\\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\\""'), 'null')`,
    ]
  if (kind === 'integer' || kind === 'number' || kind === 'boolean')
    return [sql`coalesce((${source})::text, 'null')`]
  return [sql`coalesce(to_json(${source}), 'null')`]
}

/** Selects the JSON of an array with an element for each row of `from`. */
export const jsonArrayFrom = <T>(
  element: JsonText<T>,
  from: RawBuilder<unknown>,
  inOrder: RawBuilder<unknown>,
) =>
  new JsonText<T[]>([
    sql`coalesce((select '[' || string_agg(${element.text}, ',' order by ${inOrder}) || ']' ${from}), '[]')`,
  ])

/** Selects the JSON of the row of `from`, or null. */
export const jsonRowFrom = <T>(row: JsonText<T>, from: RawBuilder<unknown>) =>
  new JsonText<T | null>([sql`coalesce((select ${row.text} ${from}), 'null')`])

type Compute = (values: readonly never[], config: Config) => unknown

const computations: Compute[] = []
// In JSON, this character is always escaped.
const mark = '\u001e'

/** Returns a field that `completeJson` computes from the values, because the rule exists only in this process. */
export function computed<Values extends readonly unknown[], T>(
  values: { [Index in keyof Values]: RawBuilder<Values[Index]> },
  compute: (values: Values, config: Config) => T,
): JsonText<T> {
  const index = computations.push(compute as never) - 1
  const inputs = values.flatMap((value, position): Part[] => [
    position === 0 ? '[' : ',',
    sql`coalesce(to_json(${value}), 'null')`,
  ])
  return new JsonText([`${mark}${index}`, ...inputs, `]${mark}`])
}

const maxRemembered = 5_000
const remembered = new WeakMap<Config, Map<string, string>>()

/** Returns the JSON that PostgreSQL has created, with its computed fields. Equal values are computed only once. */
export function completeJson(json: string, config: Config): string {
  const pieces = json.split(mark)
  if (pieces.length === 1) return json
  let known = remembered.get(config)
  if (known === undefined || known.size > maxRemembered) {
    known = new Map()
    remembered.set(config, known)
  }
  for (let at = 1; at < pieces.length; at += 2) {
    const call = pieces[at] ?? ''
    let text = known.get(call)
    if (text === undefined) {
      const start = call.indexOf('[')
      const values = JSON.parse(call.slice(start)) as never[]
      text = JSON.stringify(computations[Number(call.slice(0, start))]?.(values, config) ?? null)
      known.set(call, text)
    }
    pieces[at] = text
  }
  return pieces.join('')
}
