import { openFileArchive, type FileArchive, type OpenFileArchive } from './file-archive.ts'
import type { FromWorker, ToWorker } from './open-folder.ts'

const stop = new AbortController()
const progressMs = 100
let archive: Promise<FileArchive> | undefined
let reportedAt = 0

const post = (message: FromWorker): void => self.postMessage(message)

function open(request: Pick<OpenFileArchive, 'entries' | 'prefix'>): Promise<FileArchive> {
  return openFileArchive({
    ...request,
    signal: stop.signal,
    onProgress(progress) {
      if (performance.now() - reportedAt < progressMs) return
      reportedAt = performance.now()
      post({ type: 'progress', progress })
    },
  })
}

async function answer(message: ToWorker): Promise<unknown> {
  if (message.type === 'open') archive = open(message)
  const opened = await archive
  if (opened === undefined) throw new Error('The archive is not open.')
  if (message.type === 'slice') return opened.slice(message.start, message.end)
  if (message.type === 'check') return opened.requireReadable(message.start, message.end)
  const { sizeBytes, entryEnds, sample } = opened
  return { sizeBytes, entryEnds, sample }
}

// Deflating takes a core for some time, which would block the page.
self.addEventListener('message', ({ data }: MessageEvent<ToWorker & { id: number }>) => {
  answer(data).then(
    (value) => post({ type: 'done', id: data.id, value }),
    (error: unknown) => post({ type: 'failed', id: data.id, message: String(error) }),
  )
})
