import { coverPage } from './api/session-end.ts'
import { removePrivateQueries } from './features/session/enter-console.ts'
import { hasUnsavedText } from './frame/keep-typed-text.ts'
import type { createConsoleRouter } from './router.tsx'

/**
 * Opens the sign-in page after the session has ended. Signing in leads back to the page that is open now. A page with
 * unsaved text stays open below a cover.
 */
export function leaveConsole(router: ReturnType<typeof createConsoleRouter>): void {
  const { href, pathname } = router.latestLocation
  const isInside = router.state.matches.some(({ routeId }) => routeId === '/console')
  if (!isInside || pathname === '/sign-in') return
  if (hasUnsavedText()) return coverPage()
  const next = href === '/' ? undefined : href
  void router
    .navigate({ to: '/sign-in', search: { next, error: 'session_ended' }, replace: true })
    .then(() => removePrivateQueries(router.options.context.queryClient))
}
