import { entityTag } from '../../../http/endpoint/conditional.ts'
import type { PublishedFile } from '../adapters/adapter.ts'

export type FeedDocument = { contentType: string; body: string | Buffer; etag: string }
/** What a path leads to. */
export type FeedResult = FeedDocument | { file: PublishedFile } | 'no update' | 'not found'

const maxDocuments = 500
const maxFileBytes = 16 * 1024 * 1024

export type Documents = ReturnType<typeof createDocuments>

/** Creates the memory of the documents and companion files of a publication, which is dropped with it. */
export function createDocuments() {
  const documents = new Map<string, Promise<FeedResult>>()
  const files = new Map<string, Promise<Buffer | undefined>>()
  let fileBytes = 0
  return {
    /** Returns the result with a key, and creates it if it is not in memory. Paths that lead nowhere are not kept. */
    find(key: string, create: () => Promise<FeedResult>): Promise<FeedResult> {
      const known = documents.get(key)
      if (known !== undefined) return known
      const created = create().then(
        (result) => {
          if (result === 'not found') documents.delete(key)
          return result
        },
        (error: unknown) => {
          documents.delete(key)
          throw error
        },
      )
      const [oldest] = documents.keys()
      if (documents.size >= maxDocuments && oldest !== undefined) documents.delete(oldest)
      documents.set(key, created)
      return created
    },
    /** Returns a small file, which never changes, and reads it if it is not in memory. */
    readFile(key: string, read: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
      const known = files.get(key)
      if (known !== undefined) return known
      const created = read().then(
        (bytes) => {
          fileBytes += bytes?.length ?? 0
          if (fileBytes > maxFileBytes) {
            files.clear()
            fileBytes = 0
          }
          return bytes
        },
        (error: unknown) => {
          files.delete(key)
          throw error
        },
      )
      files.set(key, created)
      return created
    },
  }
}

export const documentOf = ({ contentType, body }: Omit<FeedDocument, 'etag'>): FeedDocument => ({
  contentType,
  body,
  etag: entityTag(body),
})
