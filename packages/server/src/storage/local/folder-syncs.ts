import { limitConcurrencyByName, type Limit } from '../../lib/concurrency.ts'

/**
 * Returns a function that syncs a folder. Concurrent callers share a sync that has not begun yet. One that has begun may
 * miss the caller's change, so it is followed by another.
 */
export function shareSyncs(
  sync: (folder: string) => Promise<void>,
  writing: Limit,
): (folder: string) => Promise<void> {
  const inTurn = limitConcurrencyByName(1)
  const waiting = new Map<string, Promise<void>>()

  const syncInTurn = (folder: string): Promise<void> =>
    inTurn(folder, () =>
      writing(() => {
        waiting.delete(folder)
        return sync(folder)
      }),
    )
  return (folder) => {
    const next = waiting.get(folder) ?? Promise.resolve(folder).then(syncInTurn)
    waiting.set(folder, next)
    return next
  }
}
