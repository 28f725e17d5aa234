import { Problem } from '../lib/problem.ts'

type Work = {
  /** Processes either all or none of the IDs, in one transaction; returns how many were processed. */
  work: (ids: string[]) => Promise<number>
  onError: (error: unknown, id: string) => void
}

/**
 * Processes all IDs as one batch and, if that fails, one at a time, so that a failing item does not block the others
 * indefinitely. Rethrows when the database is unavailable.
 */
export async function runBatchWithFallback(ids: string[], { work, onError }: Work): Promise<number> {
  if (ids.length === 0) return 0
  try {
    return await work(ids)
  } catch (error) {
    const [first = '', ...others] = ids
    const isBatchTooLarge = error instanceof Problem && error.code === 'database.timeout' && others.length > 0
    if (error instanceof Problem && error.kind === 'unavailable' && !isBatchTooLarge) throw error
    if (others.length === 0) {
      onError(error, first)
      return 0
    }
    let count = 0
    for (const id of ids) count += await runBatchWithFallback([id], { work, onError })
    return count
  }
}
