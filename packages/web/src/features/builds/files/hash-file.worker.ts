import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export type HashReport =
  | { type: 'progress'; hashedBytes: number }
  | { type: 'done'; sha256: string }
  | { type: 'failed'; message: string }

const progressMs = 100

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  hash(file).catch((error: unknown) => report({ type: 'failed', message: String(error) }))
})

/** Hashes a file in pieces, so that files that are larger than the memory work too. */
async function hash(file: File): Promise<void> {
  const digest = sha256.create()
  const reader = file.stream().getReader()
  let hashedBytes = 0
  let reportedAt = performance.now()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    digest.update(value)
    hashedBytes += value.length
    if (performance.now() - reportedAt < progressMs) continue
    reportedAt = performance.now()
    report({ type: 'progress', hashedBytes })
  }
  report({ type: 'done', sha256: bytesToHex(digest.digest()) })
}

function report(message: HashReport): void {
  postMessage(message)
}
