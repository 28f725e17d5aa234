/**
 * The user that runs the server. `switches` is true if it is not the current user. `hasName` is false if the user ID
 * has no passwd entry.
 */
export type Account = { uid: number; gid: number; switches: boolean; hasName: boolean }

export type Log = {
  debug?(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
