import type { ApiResponse } from './harness.ts'

const maxAttempts = 5

/** Repeats a call, as clients do, while the database of a busy machine takes too long for a statement. */
export async function repeatWhileBusy(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  let response = await call()
  for (let attempt = 1; response.body?.code === 'database.timeout' && attempt < maxAttempts; attempt++)
    response = await call()
  return response
}
