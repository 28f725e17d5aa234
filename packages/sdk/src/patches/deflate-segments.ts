/** The start of a block: what a writer needs besides the tokens. */
export type BlockHeader =
  | { isFinal: boolean; type: 'stored'; padding: number; sizeBytes: number }
  | { isFinal: boolean; type: 'fixed' }
  | { isFinal: boolean; type: 'dynamic'; bits: number[]; bitCount: number }

export const historyBytes = 32_768
/** How much content is read at once, besides the history. */
export const segmentBytes = 4 * 1024 * 1024
/** Content that is known after the end of a segment, so that the search for matches can look ahead. */
export const lookaheadBytes = 1024
/** The content of a stored block, which is the longest that a token can have. */
export const maxTokenBytes = 65_535
