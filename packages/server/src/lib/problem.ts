const statusOf = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  timeout: 408,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
  out_of_space: 507,
} as const

export type ProblemKind = keyof typeof statusOf

type ProblemExtra = {
  errors?: Record<string, string[]>
  retryAfterSeconds?: number
  headers?: Record<string, string>
  cause?: unknown
}

/** An error that is reported to the caller. http/wire/errors.ts renders it as `{message, code, errors?}`. */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly code: string
  readonly errors: Record<string, string[]> | undefined
  readonly headers: Record<string, string>

  /** Errors are created from a definition (see `problem`). Only subclasses and tests call the constructor. */
  constructor(kind: ProblemKind, code: string, message: string, extra: ProblemExtra = {}) {
    super(message, { cause: extra.cause })
    this.name = 'Problem'
    this.kind = kind
    this.code = code
    this.errors = extra.errors
    this.headers = { ...extra.headers }
    if (extra.retryAfterSeconds !== undefined) this.headers['retry-after'] = String(extra.retryAfterSeconds)
  }

  get status(): number {
    return statusOf[this.kind]
  }
}

/** The data of an error, from which OpenAPI and docs/errors.md are generated. */
export type ProblemDefinition = {
  readonly kind: ProblemKind
  readonly status: number
  readonly code: string
  /** The message, with `{name}` for each value. */
  readonly text: string
  /** The seconds after which the request can succeed, if they are always the same. */
  readonly retryAfterSeconds?: number | undefined
}

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

type Values = Readonly<Record<string, string | number>>

type CreateProblem<Text extends string> = [Placeholder<Text>] extends [never]
  ? (extra?: ProblemExtra) => Problem
  : (values: Readonly<Record<Placeholder<Text>, string | number>>, extra?: ProblemExtra) => Problem

type DefinitionOptions = Pick<ProblemExtra, 'retryAfterSeconds' | 'headers'> & {
  /** Set on every definition of a code that was released with several statuses. A new code has one status. */
  hasSeveralStatuses?: true
}

const placeholder = /\{(\w+)\}/g

const definitions = new Map<string, { defined: ProblemDefinition[]; hasSeveralStatuses: boolean }>()

/** Returns the definitions of all modules that have been imported, by code. */
export const problemCatalogue = (): ReadonlyMap<string, readonly ProblemDefinition[]> =>
  new Map([...definitions].map(([code, { defined }]) => [code, defined]))

/**
 * Defines an error and returns the function that creates it. `code` has the form `noun.reason` and never changes,
 * because clients rely on it. `text` is a literal; the function takes a value for each `{name}` in it. A code can have
 * several texts, each with its own definition.
 */
export function problem<const Text extends string>(
  kind: ProblemKind,
  code: string,
  text: string extends Text ? never : Text,
  options: DefinitionOptions = {},
): ProblemDefinition & CreateProblem<Text> {
  const { hasSeveralStatuses = false, ...fixed } = options
  const { retryAfterSeconds } = fixed
  const definition: ProblemDefinition = { kind, status: statusOf[kind], code, text, retryAfterSeconds }
  const withValues = (values: Values, extra?: ProblemExtra) => {
    const message = text.replaceAll(placeholder, (_, name: string) => String(values[name]))
    return new Problem(kind, code, message, { ...fixed, ...extra })
  }
  const create = text.search(placeholder) >= 0 ? withValues : (extra?: ProblemExtra) => withValues({}, extra)
  register(definition, hasSeveralStatuses)
  // TypeScript cannot relate the result of the test to the placeholders in the type of the text.
  return Object.assign(create as CreateProblem<Text>, definition)
}

function register(definition: ProblemDefinition, hasSeveralStatuses: boolean): void {
  const { code, kind } = definition
  const known = definitions.get(code)
  if (known === undefined) {
    definitions.set(code, { defined: [definition], hasSeveralStatuses })
    return
  }
  const isSameKind = known.defined.every((other) => other.kind === kind)
  if (!isSameKind && !(hasSeveralStatuses && known.hasSeveralStatuses))
    throw new Error(`the error code ${code} is defined with two statuses`)
  known.defined.push(definition)
}

/** Returns whether a system call failed with one of these error codes. */
export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

const resourceNotFound = problem('not_found', 'resource.not_found', 'Not found.')

/**
 * Creates the same error for resources that do not exist and for those that the caller may not access. Takes no
 * argument, because Kysely passes the query to the function that creates the error of `executeTakeFirstOrThrow`.
 */
export const notFound: ProblemDefinition & (() => Problem) = Object.assign(
  () => resourceNotFound(),
  resourceNotFound,
)
