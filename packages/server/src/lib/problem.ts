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

  /**
   * `code` has the form `noun.reason` and is stable, because clients rely on it. `errors` maps dotted field paths to
   * messages.
   */
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

/** Returns whether a system call failed with one of these error codes. */
export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** Returns the same error for resources that do not exist and for those that the caller may not access. */
export const notFound = (): Problem => new Problem('not_found', 'resource.not_found', 'Not found.')
