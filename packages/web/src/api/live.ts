import { QuaysideError, type ChangeEvent } from '@quayside/sdk'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { api, basePath } from './client.ts'
import { sessionQuery } from './session.ts'

/** `resync` means that changes may have been missed. */
export type LiveMessage = { type: 'change'; change: ChangeEvent } | { type: 'resync' }

type Listener = (message: LiveMessage) => void

const listeners = new Set<Listener>()

/** Calls the listener with each change in the workspace. Returns a function that removes it. */
export function onLiveMessage(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The name of the channel between the tabs and of the lock that one of them holds. */
const name = `quayside live ${basePath}`
const retryMs = 5_000
const isGone = (error: unknown): boolean => error instanceof QuaysideError && error.status === 410

/** The position in the event stream up to which this tab has received all changes; undefined if it must start over. */
let cursor: string | undefined

/**
 * Watches the changes of the workspace until the signal is aborted. One tab of the browser holds the connection and
 * passes the changes to the others, because browsers open only six connections to a server over HTTP/1.1. The session must
 * be loaded.
 */
export function watchLive(queryClient: QueryClient, signal: AbortSignal): void {
  // The session is loaded before everything else, so the stream reports all changes that other responses lack.
  cursor ??= queryClient.getQueryData(sessionQuery.queryKey)?.events_cursor
  const channel = new BroadcastChannel(name)
  const emit = (message: LiveMessage) => {
    if (message.type === 'change') ({ cursor } = message.change)
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
      await forwardChanges(send, signal).catch((error: unknown) => {
        if (isGone(error)) cursor = undefined
      })
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  // Browsers have locks only over HTTPS and on localhost. Elsewhere, every tab holds a connection.
  const locks = (navigator as { locks?: LockManager }).locks
  if (locks === undefined) void watch()
  else watchInTurn(locks, watch, { signal, onOther: () => emit({ type: 'resync' }) }).catch(() => undefined)
}

/** Watches once no other tab does. Calls `onOther` if another tab does, which may have passed on changes already. */
async function watchInTurn(
  locks: LockManager,
  watch: () => Promise<void>,
  { signal, onOther }: { signal: AbortSignal; onOther: () => void },
): Promise<void> {
  const hasWatched = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await watch()
    return lock !== null
  })
  if (hasWatched) return
  onOther()
  await locks.request(name, { signal }, watch)
}

async function forwardChanges(send: Listener, signal: AbortSignal): Promise<void> {
  const query = cursor === undefined ? {} : { after: cursor }
  for await (const { event, data } of api.watchWorkspaceEvents(query, { signal })) {
    if (event === 'change') send({ type: 'change', change: data })
    else if (event === 'ready' && cursor === undefined) {
      ;({ cursor } = data)
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
