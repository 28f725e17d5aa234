import type { CommandContext } from '../command-context.ts'
import type { Checksum } from '../transfer/partial-file.ts'
import type { FetchedIndex } from './fetch-index.ts'
import type { FindPatch } from './offered-patch.ts'

/** A file that is put together from chunks of local files and from ranges that are downloaded. */
export type ReusedFile = {
  /** The name for messages. */
  filename: string
  index: FetchedIndex
  /** Absolute path of the finished file. */
  target: string
  /** Absolute path of the incomplete file, in the same folder. */
  partialPath: string
  /** The file or folder that contains an earlier version. */
  reuse: string
  checksum: Checksum
  findPatch: FindPatch
  /** Returns a signed URL of the file. `fresh` requests a new one. */
  url: (fresh: boolean) => Promise<string>
}

export type ReuseContext = Pick<CommandContext, 'agents' | 'output' | 'signal'>

/** Thrown if a file cannot be put together, so that all of it has to be downloaded. The message is a reason. */
export class ReuseError extends Error {}

/** Thrown if the server is still computing the chunk index. */
export class PendingIndexError extends ReuseError {}
