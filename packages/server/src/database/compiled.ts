import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely'
import type { Database } from './tables.ts'
import type { Db, Executor } from './transaction.ts'

/** Builds and compiles queries, but does not execute them. */
export const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** Returns the expression with its SQL already compiled. It must have no parameters. */
export function precompiled<T>(expression: RawBuilder<T>): RawBuilder<T> {
  return sql.raw<T>(expression.compile(compiler).sql)
}

/** The place of a value in a statement that is compiled once for many inputs. */
class Slot<Input> {
  readonly read: (input: Input) => unknown

  constructor(read: (input: Input) => unknown) {
    this.read = read
  }
}

/**
 * Returns a parameter of a statement that has, for each input, the value which `read` returns. It can only be used where a statement
 * takes such a value.
 */
export type Parameter<Input> = <T>(read: (input: Input) => T) => T

type Compiled<Input> = { text: string; values: readonly Slot<Input>[] }

const maxShapes = 1_000

/**
 * Returns a function that runs a statement. The statement is built and compiled once for each shape of its input, so it may depend on
 * the input only as far as the shape does. Everything else must be a parameter.
 */
export function compileByShape<Input, Row>(
  shapeOf: (input: Input) => string,
  build: (input: Input, parameter: Parameter<Input>) => { compile(db: Db): CompiledQuery<Row> },
): (db: Executor, input: Input) => Promise<Row[]> {
  const compiled = new Map<string, Compiled<Input>>()
  const parameter: Parameter<Input> = <T>(read: (input: Input) => T) => sql<T>`${new Slot(read)}` as T

  function compile(input: Input): Compiled<Input> {
    const { sql: text, parameters } = build(input, parameter).compile(compiler)
    const slots = parameters.map((value) => {
      if (value instanceof Slot) return value as Slot<Input>
      throw new TypeError(`A value is part of a statement that is compiled once: ${text}`)
    })
    const values = [...new Set(slots)]
    const numberOf = (slot: Slot<Input> | undefined) => (slot === undefined ? 0 : values.indexOf(slot) + 1)
    return { text: text.replaceAll(/\$(\d+)/g, (_, at) => `$${numberOf(slots[Number(at) - 1])}`), values }
  }

  return async (db, input) => {
    const shape = shapeOf(input)
    let statement = compiled.get(shape)
    if (statement === undefined) {
      statement = compile(input)
      if (compiled.size >= maxShapes) compiled.clear()
      compiled.set(shape, statement)
    }
    const values = statement.values.map(({ read }) => read(input))
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(statement.text, values))
    return rows
  }
}
