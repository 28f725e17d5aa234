import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { createConsoleRouter, leaveConsole } from './router.tsx'
import { cssVariables, theme } from './theme.ts'
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

const root = document.querySelector('#root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <Toasts />
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
