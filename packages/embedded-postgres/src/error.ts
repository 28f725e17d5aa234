export type EmbeddedPostgresErrorCode =
  | 'data_gone'
  | 'failed'
  | 'foreign_folder'
  | 'in_use'
  | 'initdb_failed'
  | 'no_account'
  | 'no_connection'
  | 'no_package'
  | 'not_runnable'
  | 'not_started'
  | 'other_version'
  | 'path_too_long'
  | 'unsupported_system'

/** Thrown when PostgreSQL cannot be started. The message is intended for the operator. */
export class EmbeddedPostgresError extends Error {
  readonly code: EmbeddedPostgresErrorCode

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedPostgresError'
    this.code = code
  }
}

/** Returns whether a system call failed with one of these codes. */
export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
