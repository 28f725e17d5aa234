import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { basePath } from '../../api/client.ts'

/** Returns the path if it belongs to this console, otherwise the home page. Browsers treat a backslash as a slash. */
export const consolePath = (next: string | undefined): string =>
  next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/'

/** Returns a function that opens the console after a sign-in, at the path that the person wanted to open. */
export function useEnterConsole(): (next?: string) => void {
  const queryClient = useQueryClient()
  const router = useRouter()
  return (next) => {
    // The cache may contain what another person has loaded.
    queryClient.clear()
    router.history.push(basePath + consolePath(next))
  }
}
