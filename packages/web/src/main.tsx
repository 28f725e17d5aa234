import { hydrate, type DehydratedState } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { createConsoleRouter, leaveConsole } from './router.tsx'
import { Toasts } from './ui/toast.tsx'

const queryClient = createQueryClient(() => leaveConsole(router))
const router = createConsoleRouter(queryClient)
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Used by the component that blocks scrolling behind a dialog.
setNonce(nonce)

// After an upgrade of the server, an open page may ask for a file of the previous build. Reloading gets the new one; a
// second failure within ten seconds has another cause and is shown.
window.addEventListener('vite:preloadError', (event) => {
  const key = 'quayside.reloaded-at'
  if (Date.now() - Number(sessionStorage.getItem(key)) < 10_000) return
  event.preventDefault()
  sessionStorage.setItem(key, String(Date.now()))
  window.location.reload()
})

const preview = document.querySelector('#preview')

async function start(): Promise<void> {
  const root = document.querySelector('#root')
  if (root === null) return
  if (preview !== null) {
    hydrate(queryClient, readState())
    // Without this, the page would be drawn with placeholders between its preview and its content.
    await router.load()
  }
  createRoot(root).render(
    <StrictMode>
      <App router={router} queryClient={queryClient} nonce={nonce}>
        <PreviewEnd />
        <Toasts />
      </App>
    </StrictMode>,
  )
}

void start()

/** Removes the preview at the moment at which the page takes its place. */
function PreviewEnd() {
  useLayoutEffect(() => preview?.remove(), [])
  return null
}

/** Returns the data of the preview. Its age counts from the request for the document. */
function readState(): DehydratedState {
  const { queries = [], ...rest } = JSON.parse(
    document.querySelector('#preview-state')?.textContent ?? '{}',
  ) as Partial<DehydratedState>
  return {
    mutations: [],
    ...rest,
    queries: queries.map((query) => ({
      ...query,
      state: { ...query.state, dataUpdatedAt: performance.timeOrigin },
    })),
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
