import { Transform } from 'node:stream'

/** Creates a stream that calls `onChunk` with each chunk and passes it on unchanged. */
export function observeChunks(onChunk: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onChunk(chunk)
      done(null, chunk)
    },
  })
}
