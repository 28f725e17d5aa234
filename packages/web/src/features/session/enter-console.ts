import { QuaysideError } from '@quayside/sdk'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { redirect, useRouter } from '@tanstack/react-router'
import { basePath } from '../../api/client.ts'
import { signInKey } from '../../api/query-keys.ts'
import { sessionQuery } from '../../api/session.ts'

/** Returns the path if it belongs to this console, otherwise the home page. Browsers treat a backslash as a slash. */
export const consolePath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'

/** Returns whether the person is signed in. A session that was refused a moment ago is not requested again. */
async function isSignedIn(queryClient: QueryClient): Promise<boolean> {
  const known = queryClient.getQueryState(sessionQuery.queryKey)
  if (known?.status === 'error' && Date.now() - known.errorUpdatedAt < 5_000) return false
  return queryClient.query({ ...sessionQuery, staleTime: 0 }).then(
    () => true,
    () => false,
  )
}

/** Removes everything from the cache that belongs to a person. */
export function removePrivateQueries(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== signInKey()[0] })
}

/** Returns a function that opens the console after a sign-in, at the path that the person wanted to open. */
export function useEnterConsole(): (next?: string) => void {
  const queryClient = useQueryClient()
  const router = useRouter()
  return (next) => {
    removePrivateQueries(queryClient)
    router.history.push(basePath + consolePath(next))
  }
}

type Entry = { context: { queryClient: QueryClient }; location: { href: string } }

type SignInPage = {
  context: { queryClient: QueryClient }
  search: Partial<Record<'next' | 'link', string | undefined>>
}

/** Opens the console instead of the sign-in page for people who are signed in, unless they have opened a sign-in link. */
export async function skipIfSignedIn({ context, search: { next, link } }: SignInPage): Promise<void> {
  if (link === undefined && (await isSignedIn(context.queryClient)))
    redirect({ href: consolePath(next), throw: true })
}

/** Sends people who are not signed in to the sign-in page and back afterwards. */
export async function requireSignIn({ context: { queryClient }, location }: Entry): Promise<void> {
  try {
    await queryClient.query({ ...sessionQuery, staleTime: 'static' })
  } catch (error) {
    if (!(error instanceof QuaysideError) || error.status !== 401) throw error
    const next = location.href === '/' ? undefined : location.href
    redirect({ to: '/sign-in', search: { next }, throw: true })
  }
}
