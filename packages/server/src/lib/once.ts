/** Returns a function that calls `create` the first time and returns the same value each time. */
export function once<T>(create: () => T): () => T {
  let created: { value: T } | undefined
  return () => (created ??= { value: create() }).value
}

/** Returns a function that returns the promise of `create`. Calls `create` again only after the promise is rejected. */
export function onceResolved<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined
      throw error
    })
    return created
  }
}
