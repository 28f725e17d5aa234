import { repeatWhile } from './acceptance/repeat-while.ts'
import type { ApiResponse } from './harness.ts'

const busyCodes = new Set(['database.busy', 'database.timeout', 'database.unavailable', 'comparison.busy'])

/** Repeats a call while the database or the comparisons of a busy machine take too long for it. */
export const repeatWhileBusy = (call: () => Promise<ApiResponse>): Promise<ApiResponse> =>
  repeatWhile(({ body }) => busyCodes.has(body?.code), call)
