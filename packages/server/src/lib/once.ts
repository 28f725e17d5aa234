/** Returns a function that calls `create` the first time and returns the same value each time. */
export function once<T>(create: () => T): () => T {
  let created: { value: T } | undefined
  return () => (created ??= { value: create() }).value
}

/** Returns a function like that of `once`, except that it calls `create` again after the promise was rejected. */
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
