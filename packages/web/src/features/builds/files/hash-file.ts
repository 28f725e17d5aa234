import { buildText } from '../../../text/builds/build.ts'
import type { HashReport } from './hash-file.worker.ts'

/** Returns the SHA-256 of a file in hexadecimal. The file is read in a worker, so that the page stays responsive. */
export function hashFile(
  file: File,
  onProgress: (hashedBytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hash-file.worker.ts', import.meta.url), { type: 'module' })
    const stop = () => worker.terminate()
    signal.addEventListener('abort', () => {
      stop()
      reject(signal.reason as Error)
    })
    worker.addEventListener('message', ({ data }: MessageEvent<HashReport>) => {
      if (data.type === 'progress') return onProgress(data.hashedBytes)
      stop()
      if (data.type === 'done') resolve(data.sha256)
      else reject(new Error(data.message))
    })
    worker.addEventListener('error', ({ message }) => {
      stop()
      reject(new Error(message || buildText.files.unreadable))
    })
    worker.postMessage(file)
  })
}
