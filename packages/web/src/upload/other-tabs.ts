import type { Upload } from './upload.ts'

type Message = { type: 'progress'; upload: Upload } | { type: 'ended'; id: string }

/**
 * Coordinates the tabs of a browser: only the tab that holds the lock of an upload works on it, and the others show its
 * progress. Without https, browsers have no locks, and each tab works on its own uploads only.
 */
export function createOtherTabs(name: string) {
  const locks = navigator.locks as LockManager | undefined
  const channel = new BroadcastChannel(name)
  const releases = new Map<string, () => void>()
  const lockName = (id: string) => `${name} ${id}`
  return {
    /** Returns whether this tab may work on the upload. The lock is kept until it is released or the tab is closed. */
    claim(id: string): Promise<boolean> {
      if (locks === undefined || releases.has(id)) return Promise.resolve(true)
      return new Promise((resolve, reject) => {
        const hold = (lock: Lock | null) => {
          resolve(lock !== null)
          if (lock === null) return undefined
          return new Promise<void>((release) => void releases.set(id, release))
        }
        locks.request(lockName(id), { ifAvailable: true }, hold).catch(reject)
      })
    },
    release(id: string): void {
      releases.get(id)?.()
      releases.delete(id)
    },
    async isClaimed(id: string): Promise<boolean> {
      if (releases.has(id)) return false
      const { held = [] } = (await locks?.query()) ?? {}
      return held.some((lock) => lock.name === lockName(id))
    },
    send: (message: Message): void => channel.postMessage(message),
    listen(listener: (message: Message) => void): void {
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data))
    },
  }
}
