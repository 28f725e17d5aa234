import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { createConsoleRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

type Props = {
  router: ReturnType<typeof createConsoleRouter>
  queryClient: QueryClient
  /** Allows the style elements of the design system. */
  nonce: string
  children?: ReactNode
}

/** The console: the page of the current URL, and what is the same on every page. */
export function App({ router, queryClient, nonce, children }: Props) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
