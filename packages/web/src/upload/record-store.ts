import type { UploadRecord } from './upload.ts'

const storeName = 'uploads'

/**
 * Keeps the unfinished uploads of this browser. Some browsers refuse to store anything in private windows; then uploads
 * work, but cannot be resumed after the tab was closed.
 */
export function createRecordStore(name: string) {
  let opening: Promise<IDBDatabase> | undefined
  const open = (): Promise<IDBDatabase> =>
    (opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.addEventListener('upgradeneeded', () =>
        request.result.createObjectStore(storeName, { keyPath: 'id' }),
      )
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB is unavailable.')))
    }))

  async function run<T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> {
    try {
      const transaction = (await open()).transaction(storeName, mode)
      const request = work(transaction.objectStore(storeName))
      await new Promise<void>((resolve, reject) => {
        transaction.addEventListener('complete', () => resolve())
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')))
      })
      return request.result
    } catch {
      return undefined
    }
  }

  return {
    list: async (): Promise<UploadRecord[]> =>
      (await run('readonly', (store) => store.getAll() as IDBRequest<UploadRecord[]>)) ?? [],
    async save(record: UploadRecord): Promise<void> {
      await run('readwrite', (store) => store.put(record))
    },
    async remove(id: string): Promise<void> {
      await run('readwrite', (store) => store.delete(id))
    },
  }
}
