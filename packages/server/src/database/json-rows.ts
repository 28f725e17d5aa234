import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Compilable,
  type RawBuilder,
} from 'kysely'
import { timestampFromPostgres } from './column-values.ts'
import type { Database } from './tables.ts'
import type { Db, Executor } from './transaction.ts'

/** Builds and compiles queries, but does not execute them. */
const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

type TextColumn<Row> = { [Name in keyof Row]: Row[Name] extends string | null ? Name : never }[keyof Row]

/**
 * Returns a function that lists the rows of a query with one parameter, in any order. The query is compiled once, and
 * PostgreSQL returns its rows as a single JSON text, because parsing every column of wide rows takes longer. Columns of
 * type timestamptz must be named in `timestamps`, so that they have the same format as in other queries.
 */
export function compileJsonRows<Value, Row extends object>(
  build: (db: Db, value: RawBuilder<Value>) => Compilable<Row>,
  timestamps: readonly TextColumn<Row>[],
): (db: Executor, value: Value) => Promise<Row[]> {
  const placeholder = Symbol('value')
  const { sql: text, parameters } = build(compiler, sql<Value>`${placeholder}`).compile()
  const statement = `select coalesce(json_agg(found), '[]')::text as json from (${text}) as found`
  return async (db, value) => {
    const values = parameters.map((parameter) => (parameter === placeholder ? value : parameter))
    const query = CompiledQuery.raw(statement, values) as CompiledQuery<{ json: string }>
    const { rows } = await db.executeQuery(query)
    const found = JSON.parse(rows[0]?.json ?? '[]') as Row[]
    for (const row of found as Record<TextColumn<Row>, string | null>[])
      for (const name of timestamps) {
        const time = row[name]
        if (time !== null) row[name] = timestampFromPostgres(time)
      }
    return found
  }
}
