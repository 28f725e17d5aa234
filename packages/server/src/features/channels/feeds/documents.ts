import { entityTag } from '../../../http/endpoint/conditional.ts'
import type { PublishedFile } from '../adapters/adapter.ts'

export type FeedDocument = {
  contentType: string
  body: string | Buffer
  etag: string
  headers: Readonly<Record<string, string>>
}
/** The last segment of the path that leads to a document for longer. */
export type FeedRedirect = { redirect: string }
/** What a path leads to. */
export type FeedResult = FeedDocument | FeedRedirect | { file: PublishedFile } | 'no update' | 'not found'

const maxDocuments = 500
/** The total size of the companion files of a channel that are kept. */
const maxCachedBytes = 16 * 1024 * 1024

export type Documents = ReturnType<typeof createDocuments>

/** Creates the cache of the documents of a publication, which is dropped with it. */
export function createDocuments() {
  const documents = new Map<string, Promise<FeedResult>>()
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
  }
}

export type CompanionFiles = ReturnType<typeof createCompanionFiles>

/** Creates the cache of the companion files of a channel. Files never change, so it outlives publications. */
export function createCompanionFiles() {
  const files = new Map<string, Promise<Buffer | undefined>>()
  let cachedBytes = 0
  return {
    /** Returns a small file, and reads it if it is not in memory. A file that does not exist is not kept. */
    find(key: string, read: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
      const known = files.get(key)
      if (known !== undefined) return known
      const created = read().then(
        (bytes) => {
          if (bytes === undefined) files.delete(key)
          cachedBytes += bytes?.length ?? 0
          if (cachedBytes > maxCachedBytes) {
            files.clear()
            cachedBytes = 0
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

export const documentOf = ({
  contentType,
  body,
  headers = {},
}: Omit<FeedDocument, 'etag' | 'headers'> & Partial<Pick<FeedDocument, 'headers'>>): FeedDocument => ({
  contentType,
  body,
  headers,
  etag: entityTag(body),
})
