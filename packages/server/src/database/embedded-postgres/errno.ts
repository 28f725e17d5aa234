/** Whether a call of the system failed for one of these reasons. */
export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
