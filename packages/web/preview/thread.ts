import { parentPort } from 'node:worker_threads'
import type { FromThread, PageResponse, ToThread } from '../../server/src/site/console/preview-messages.ts'
import { runWithPage } from './page.ts'
import { renderPreview } from './render-preview.tsx'

export { routePaths } from './route-paths.ts'

// The thread of the server that draws pages.
// Pages are drawn with responses of the API only.
globalThis.fetch = () => Promise.reject(new Error('a preview sends no requests of its own'))

const loading = new Map<number, (response: PageResponse | undefined) => void>()
let lastId = 0

const send = (message: FromThread): void => parentPort?.postMessage(message)

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'loaded') {
    loading.get(message.id)?.(message.response)
    loading.delete(message.id)
    return
  }
  const { id: pageId, path, userAgent, isPhone, timeZone, hiddenColumns } = message
  const page = { userAgent, isPhone, timeZone, hiddenColumns }
  const failures: PageResponse[] = []
  const load = async (url: string) => {
    const id = ++lastId
    const response = await new Promise<PageResponse | undefined>((resolve) => {
      loading.set(id, resolve)
      send({ type: 'load', id, pageId, url })
    })
    if (response !== undefined && response.status !== 200) failures.push(response)
    return response
  }
  void runWithPage({ ...page, load }, () => renderPreview(path)).then(
    (preview) => send({ type: 'drawn', id: pageId, preview: { ...preview, failures } }),
    (error: unknown) => send({ type: 'failed', id: pageId, reason: String(error) }),
  )
})
