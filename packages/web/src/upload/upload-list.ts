import type { Upload } from './upload.ts'

export type UploadList = ReturnType<typeof createUploadList>

/** Creates the list of uploads in this tab. Each change creates a new list, so that React can compare them. */
export function createUploadList() {
  let uploads: readonly Upload[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly Upload[]) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  return {
    list: (): readonly Upload[] => uploads,
    find: (id: string): Upload | undefined => uploads.find((upload) => upload.id === id),
    /** Adds an upload, or replaces the one with the same ID. */
    put(upload: Upload): void {
      const others = uploads.filter(({ id }) => id !== upload.id)
      set([...others, upload].toSorted((a, b) => a.createdAt - b.createdAt))
    },
    /** Changes an upload. Does nothing if it has been removed. */
    change(id: string, change: Partial<Upload>): void {
      set(uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
    },
    remove: (id: string): void => set(uploads.filter((upload) => upload.id !== id)),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
