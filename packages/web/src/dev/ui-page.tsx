import { Container, MantineProvider, Stack, Title } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterContextProvider } from '@tanstack/react-router'
import type { createConsoleRouter } from '../router.tsx'
import { cssVariables, theme } from '../theme.ts'
import { Toasts } from '../ui/toast.tsx'
import { parts } from './part-states.tsx'

type Props = { router: ReturnType<typeof createConsoleRouter>; queryClient: QueryClient }

/** Shows every part of the console in every state. It exists only in development. */
export function UiPage({ router, queryClient }: Props) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Toasts />
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>
          <Container component="main" size="lg" py="xl">
            <Title order={1}>Parts</Title>
            {parts.map(({ name, states }) => (
              <section key={name} aria-label={name}>
                <Title order={2} mt="xl">
                  {name}
                </Title>
                {Object.entries(states).map(([state, part]) => (
                  <Stack key={state} gap={4} mt="sm">
                    <span className="soft">{state}</span>
                    <div>{part}</div>
                  </Stack>
                ))}
              </section>
            ))}
          </Container>
        </RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
