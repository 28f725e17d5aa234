import type { ChangeEvent } from '@quayside/sdk'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { api, basePath } from './client.ts'

/** `resync` means that changes may have been missed, for example because another tab was closed. */
export type LiveMessage = { type: 'change'; change: ChangeEvent } | { type: 'resync' }

type Listener = (message: LiveMessage) => void

const listeners = new Set<Listener>()

/** Calls the listener with each change in the workspace. Returns a function that removes it. */
export function onLiveMessage(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const retryMs = 5_000

/**
 * Watches the changes of the workspace until the signal is aborted. One tab of the browser holds the connection and
 * passes the changes to the others, because browsers open only six connections to a server over HTTP/1.1.
 */
export function watchLive(signal: AbortSignal): void {
  const channel = new BroadcastChannel(`quayside live ${basePath}`)
  const emit = (message: LiveMessage) => {
    for (const listener of listeners) listener(message)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => emit(data))
  signal.addEventListener('abort', () => channel.close())
  const send = (message: LiveMessage) => {
    if ('locks' in navigator) channel.postMessage(message)
    emit(message)
  }
  const watch = async () => {
    while (!signal.aborted) {
      // The stream resumes by itself after a lost connection. It ends with an error if it can no longer resume.
      await forwardChanges(send, signal).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  // Browsers have locks only over HTTPS and on localhost. Elsewhere, every tab holds a connection.
  const locks = (navigator as { locks?: LockManager }).locks
  if (locks === undefined) void watch()
  else locks.request(`quayside live ${basePath}`, { signal }, watch).catch(() => undefined)
}

async function forwardChanges(send: Listener, signal: AbortSignal): Promise<void> {
  let isConnected = false
  for await (const { event, data } of api.watchWorkspaceEvents({}, { signal })) {
    if (event === 'change') send({ type: 'change', change: data })
    else if (!isConnected) {
      isConnected = true
      send({ type: 'resync' })
    }
  }
}

const batchMs = 300

/** Reloads the queries on the screen that a change affects. Changes that arrive together cause one reload. */
export function refreshOnChange(queryClient: QueryClient): () => void {
  const pending = new Map<string, QueryKey>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    const keys = [...pending.values()]
    pending.clear()
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }
  const remove = onLiveMessage((message) => {
    const keys = message.type === 'resync' ? [['applications'], ['workspace']] : keysOf(message.change)
    for (const key of keys) pending.set(key.join(' '), key)
    timer ??= setTimeout(flush, batchMs)
  })
  return () => {
    remove()
    clearTimeout(timer)
  }
}

/** Returns the keys of the queries that show the changed resource. A key stands for every longer key as well. */
function keysOf({ type, id, application_id: applicationId }: ChangeEvent): QueryKey[] {
  if (type === 'application')
    return [
      ['applications', 'list'],
      ['applications', id, 'application'],
    ]
  if (applicationId === null) return [['applications']]
  const owner = ['applications', applicationId]
  const workspace = ['workspace', 'statistics']
  if (type === 'build')
    return [
      [...owner, 'builds'],
      [...owner, 'releases'],
      [...owner, 'statistics'],
      [...owner, 'webhooks'],
      workspace,
    ]
  if (type === 'upload') return [[...owner, 'uploads']]
  if (type === 'release')
    return [
      [...owner, 'releases'],
      [...owner, 'builds'],
      [...owner, 'webhooks'],
    ]
  return [owner]
}
