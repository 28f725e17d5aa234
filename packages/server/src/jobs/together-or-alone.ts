import { Problem } from '../lib/problem.ts'

type Work = {
  /** One transaction: all of them or none. Answers how many were done. */
  work: (ids: string[]) => Promise<number>
  onError: (error: unknown, id: string) => void
}

/**
 * Does the work for all at once and, where that fails, for each alone: one that cannot be done must not keep the others
 * for ever. A database that is away ends it.
 */
export async function togetherOrAlone(ids: string[], { work, onError }: Work): Promise<number> {
  if (ids.length === 0) return 0
  try {
    return await work(ids)
  } catch (error) {
    const [first = '', ...others] = ids
    const isTooMuchAtOnce = error instanceof Problem && error.code === 'database.timeout' && others.length > 0
    if (error instanceof Problem && error.kind === 'unavailable' && !isTooMuchAtOnce) throw error
    if (others.length === 0) {
      onError(error, first)
      return 0
    }
    let count = 0
    for (const id of ids) count += await togetherOrAlone([id], { work, onError })
    return count
  }
}
