import type { Deps } from '../../../deps.ts'
import { addRequestCounts, type HealthCount, type RequestCount } from './adoption.db.ts'
import { other, type ClientFacts } from './client-facts.ts'

const flushMs = 2_000
/** The number of rows that clients of a channel can create in a day on a node, whatever they send. */
const maxRowsOfDay = 1_000
/** The number of rows that are kept in memory while the database cannot be reached. */
const maxKept = 20_000
const hourMs = 60 * 60 * 1000

export type Outcome = 'documents' | 'no_updates' | 'unchanged' | 'errors' | 'downloads'

export type CountedRequest = ClientFacts & {
  channelId: string
  /** A format that the channel serves, or `other`. */
  format: string
  /** Undefined for parts of files, signatures and other requests that say nothing about adoption. */
  outcome: Outcome | undefined
  error?: { status: number; path: string } | undefined
}

export type RequestCounts = ReturnType<typeof createRequestCounts>

/**
 * Creates the counts of requests of this process. A request adds to a number in memory, and one statement every two
 * seconds adds the numbers to the database. A process that is killed loses them.
 */
export function createRequestCounts({ db, log, clock }: Pick<Deps, 'db' | 'log' | 'clock'>) {
  let requests = new Map<string, RequestCount>()
  let health = new Map<string, HealthCount>()
  const limitRows = createRowLimit()
  let flushing: Promise<void> | undefined

  function countRequest(request: CountedRequest & { outcome: Outcome }, day: string): void {
    const known = requests.get(keyOf(request, day, request))
    const row = known ?? rowFor(request, day)
    row[request.outcome]++
  }

  function rowFor(request: CountedRequest, day: string): RequestCount {
    const { channelId, format } = request
    const { version, platform, architecture } = limitRows(day, channelId, request)
    const key = keyOf(request, day, { version, platform, architecture })
    const known = requests.get(key)
    if (known !== undefined) return known
    const row = { channel_id: channelId, day, format, version, platform, architecture, ...none }
    requests.set(key, row)
    return row
  }

  function countHealth({ channelId, format, error }: CountedRequest, nowMs: number): void {
    const hourStart = nowMs - (nowMs % hourMs)
    const key = `${channelId} ${format} ${hourStart}`
    let row = health.get(key)
    if (row === undefined) {
      const hour = new Date(hourStart).toISOString()
      row = { channel_id: channelId, format, hour, requests: 0, errors: 0, request_ms: nowMs, ...noError }
      health.set(key, row)
    }
    row.requests++
    row.request_ms = nowMs
    if (error === undefined) return
    row.errors++
    row.error_ms = nowMs
    row.error_status = error.status
    row.error_path = error.path
  }

  async function write(): Promise<void> {
    const taken = { requests, health }
    requests = new Map()
    health = new Map()
    try {
      await addRequestCounts(db, [...taken.requests.values()], [...taken.health.values()])
    } catch (error) {
      log.debug({ err: error }, 'cannot save the counts of update requests')
      requests = restored(taken.requests, requests, addRequest)
      health = restored(taken.health, health, addHealth)
    }
  }

  async function flush(): Promise<void> {
    await flushing
    if (requests.size === 0 && health.size === 0) return
    flushing = write().finally(() => {
      flushing = undefined
    })
    await flushing
  }

  const timer = setInterval(() => void (flushing ?? flush()), flushMs).unref()

  return {
    count(request: CountedRequest): void {
      const nowMs = clock.now().getTime()
      countHealth(request, nowMs)
      const { outcome } = request
      if (outcome !== undefined) countRequest({ ...request, outcome }, dayOf(nowMs))
    },
    save: flush,
    async close(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

const none = { documents: 0, no_updates: 0, unchanged: 0, errors: 0, downloads: 0 }
const noError = { error_ms: null, error_status: null, error_path: null }

let formatted = { dayNumber: 0, day: '1970-01-01' }

/** Returns the date in UTC, which is formatted only once a day. */
function dayOf(nowMs: number): string {
  const dayNumber = Math.floor(nowMs / (24 * hourMs))
  if (dayNumber !== formatted.dayNumber)
    formatted = { dayNumber, day: new Date(nowMs).toISOString().slice(0, 10) }
  return formatted.day
}

const keyOf = ({ channelId, format }: CountedRequest, day: string, facts: ClientFacts): string =>
  `${channelId} ${day} ${format} ${facts.version} ${facts.platform} ${facts.architecture}`

type Place = ClientFacts & { format: string }

/**
 * Limits the rows of a channel and a day. Once there are too many, clients that would create further rows are counted
 * with only their format, so that nobody can fill the database.
 */
function createRowLimit() {
  const rows = new Map<string, Set<string>>()
  let today = ''
  return (day: string, channelId: string, place: Place): ClientFacts => {
    if (day !== today) rows.clear()
    today = day
    let known = rows.get(channelId)
    if (known === undefined) rows.set(channelId, (known = new Set()))
    const key = `${place.format} ${place.version} ${place.platform} ${place.architecture}`
    if (known.has(key)) return place
    if (known.size >= maxRowsOfDay)
      return { version: place.version === '' ? '' : other, platform: '', architecture: '' }
    known.add(key)
    return place
  }
}

/** Returns the rows that could not be saved together with those that were counted since. */
function restored<Row>(
  taken: Map<string, Row>,
  counted: Map<string, Row>,
  add: (row: Row, later: Row) => void,
): Map<string, Row> {
  for (const [key, later] of counted) {
    const row = taken.get(key)
    if (row !== undefined) add(row, later)
    else if (taken.size < maxKept) taken.set(key, later)
  }
  return taken
}

function addRequest(row: RequestCount, later: RequestCount): void {
  for (const name of Object.keys(none) as Outcome[]) row[name] += later[name]
}

function addHealth(row: HealthCount, later: HealthCount): void {
  row.requests += later.requests
  row.errors += later.errors
  row.request_ms = later.request_ms
  if (later.error_ms === null) return
  row.error_ms = later.error_ms
  row.error_status = later.error_status
  row.error_path = later.error_path
}
