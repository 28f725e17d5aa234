import { hydrate, type DehydratedState } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { AccessError } from './api/access.ts'
import { onUnauthorizedChange } from './api/client.ts'
import { watchNetwork } from './api/connection.ts'
import { checkVersion } from './api/console-version.ts'
import { createQueryClient } from './api/query-client.ts'
import { watchOtherTabs } from './api/session-end.ts'
import { saveView } from './api/view-cookie.ts'
import { App } from './app.tsx'
import { leaveConsole } from './leave-console.ts'
import { createConsoleRouter } from './router.tsx'
import { Toasts } from './ui/toast.tsx'

saveView()
const leave = (): void => leaveConsole(router)
const queryClient = createQueryClient(leave)
const router = createConsoleRouter(queryClient)
onUnauthorizedChange(leave)
watchOtherTabs(queryClient, leave)
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// Used by the component that blocks scrolling behind a dialog.
setNonce(nonce)

// After an upgrade of the server, an open page may ask for a file of the previous build.
window.addEventListener('vite:preloadError', () => void checkVersion())
watchNetwork()

const preview = document.querySelector('#preview')

async function start(): Promise<void> {
  const root = document.querySelector('#root')
  if (root === null) return
  if (import.meta.env.DEV && window.location.pathname === '/dev/ui') {
    const { UiPage } = await import('./dev/ui-page.tsx')
    createRoot(root).render(<UiPage router={router} queryClient={queryClient} />)
    return
  }
  if (preview !== null) {
    hydrate(queryClient, readState())
    // Without this, the page would be drawn with placeholders between its preview and its content.
    await router.load()
  }
  createRoot(root, {
    // A page that the person may not open explains that itself.
    onCaughtError: (error) => {
      // oxlint-disable-next-line no-console -- What React does by default.
      if (!(error instanceof AccessError)) console.error(error)
    },
  }).render(
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
