import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { basePath } from '../../api/client.ts'
import { signInKey } from '../../api/query-keys.ts'

/** Returns the path if it belongs to this console, otherwise the home page. Browsers treat a backslash as a slash. */
export const consolePath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'

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
