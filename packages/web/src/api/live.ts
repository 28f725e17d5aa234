import { createClient, QuaysideError, type ChangeEvent } from '@quayside/sdk'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { onAccessChange } from './access.ts'
import { serviceUrl } from './browser.ts'
import { basePath } from './client.ts'
import { watched, watchedStream } from './connection.ts'
import { applicationKey, applicationListKey, applicationsKey, workspaceKey } from './query-keys.ts'
import { isAllowedSomewhere, sessionQuery } from './session.ts'

/**
 * `resync` means that changes may have been missed. `connected` is sent for each connection to the server, which ends it
 * when the access of the person changes.
 */
export type LiveMessage = { type: 'change'; change: ChangeEvent } | { type: 'resync' } | { type: 'connected' }

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
const accessCheckMs = 15_000
/** Trying again does not help until the access of the person changes. */
const isRefused = (error: unknown): boolean =>
  error instanceof QuaysideError && [401, 403, 404].includes(error.status)
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
      if (!mayWatch(queryClient)) await untilAccessChanges(queryClient, signal)
      // The stream resumes by itself after a lost connection. It ends with an error if it can no longer resume.
      const error = await forwardChanges(send, signal).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (isGone(error)) cursor = undefined
      if (isRefused(error)) await untilAccessChanges(queryClient, signal)
      else if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs))
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

/** Returns whether the person can access an application whose changes the stream would report. */
function mayWatch(queryClient: QueryClient): boolean {
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  return session === undefined || isAllowedSomewhere(session, 'builds:read')
}

/** Waits until the person may do something else than now. Asks the server every few seconds while the page is visible. */
async function untilAccessChanges(queryClient: QueryClient, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onAccessChange(queryClient, resolve)
  const check = () => {
    if (document.visibilityState === 'visible')
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const timer = setInterval(check, accessCheckMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await promise
  clearInterval(timer)
  stop()
}

async function forwardChanges(send: Listener, signal: AbortSignal): Promise<void> {
  const query = cursor === undefined ? {} : { after: cursor }
  // A stream that resumes starts without an event.
  const api = createClient({
    baseUrl: serviceUrl,
    fetch: async (url, init) => {
      const response = await watched(() => fetch(url, init), init?.signal)
      if (response.ok) send({ type: 'connected' })
      return watchedStream(response)
    },
  })
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
  const removeAccess = onAccessChange(queryClient, () => {
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
    })
  })
  let isFirst = true
  const remove = onLiveMessage((message) => {
    if (message.type === 'connected') {
      if (!isFirst) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      isFirst = false
      return
    }
    const keys = message.type === 'resync' ? [applicationsKey, workspaceKey()] : keysOf(message.change)
    for (const key of keys) pending.set(key.join(' '), key)
    timer ??= setTimeout(flush, batchMs)
  })
  return () => {
    remove()
    removeAccess()
    clearTimeout(timer)
  }
}

/** Returns the keys of the queries that show the changed resource. A key stands for every longer key as well. */
function keysOf({ type, id, application_id: applicationId }: ChangeEvent): QueryKey[] {
  if (type === 'application') return [applicationListKey, applicationKey(id, 'application')]
  if (type === 'notification') return [workspaceKey('notifications')]
  if (applicationId === null) return [applicationsKey]
  const keys = (
    ...nouns: readonly (
      | 'builds'
      | 'channels'
      | 'feedback'
      | 'releases'
      | 'statistics'
      | 'uploads'
      | 'webhooks'
    )[]
  ) => nouns.map((noun) => applicationKey(applicationId, noun))
  if (type === 'build')
    return [
      ...keys('builds', 'channels', 'releases', 'statistics', 'webhooks'),
      workspaceKey('statistics'),
      workspaceKey('first-steps'),
    ]
  if (type === 'upload') return keys('uploads')
  if (type === 'feedback') return keys('feedback')
  if (type === 'release') return keys('releases', 'builds', 'channels', 'webhooks')
  return [applicationKey(applicationId)]
}
