import type { QueryClient } from '@tanstack/react-query'
import { basePath } from './client.ts'
import { sessionQuery } from './session.ts'

type Message = 'signed-in' | 'signed-out'

const channelName = `quayside session ${basePath}`
/** The name of the window in which a person signs in again. */
export const signInWindow = 'quayside-sign-in'

let isEnded = false
const listeners = new Set<() => void>()

function setEnded(next: boolean): void {
  isEnded = next
  for (const listener of listeners) listener()
}

/** Covers the page until the person has signed in again, because it contains text that has not been saved. */
export const coverPage = (): void => setEnded(true)

export const isPageCovered = (): boolean => isEnded

export function onPageCovered(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells the other tabs of this browser. */
export function announceSession(message: Message): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(message)
  channel.close()
}

/** Calls the function when the person signs out in another tab, and uncovers the page when they sign in again. */
export function watchOtherTabs(queryClient: QueryClient, onSignedOut: () => void): void {
  new BroadcastChannel(channelName).addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'signed-out') onSignedOut()
    else if (isEnded) void continueSession(queryClient)
  })
  window.addEventListener('focus', () => {
    if (isEnded) void continueSession(queryClient)
  })
}

/** Uncovers the page if the same person has signed in to the same workspace. Somebody else gets a new page. */
async function continueSession(queryClient: QueryClient): Promise<void> {
  const before = queryClient.getQueryData(sessionQuery.queryKey)
  // The response to a request from before the sign-in would say that there is no session.
  await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey })
  const session = await queryClient.query({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  if (session === undefined || !isEnded) return
  if (session.user.id !== before?.user.id || session.workspace.id !== before.workspace.id)
    return window.location.reload()
  setEnded(false)
  await queryClient.invalidateQueries()
}
