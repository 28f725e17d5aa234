import { repeatWhile } from './acceptance/repeat-while.ts'
import type { ApiResponse } from './harness.ts'

/** Repeats a call while the database of a busy machine takes too long for a statement. */
export const repeatWhileBusy = (call: () => Promise<ApiResponse>): Promise<ApiResponse> =>
  repeatWhile(({ body }) => body?.code === 'database.timeout', call)
