import { repeatWhile } from './acceptance/repeat-while.ts'
import type { ApiResponse } from './harness.ts'

const busyCodes = new Set(['database.timeout', 'comparison.busy'])

/** Repeats a call while a busy machine takes too long for a statement or for the comparisons before this one. */
export const repeatWhileBusy = (call: () => Promise<ApiResponse>): Promise<ApiResponse> =>
  repeatWhile(({ body }) => busyCodes.has(body?.code), call)
