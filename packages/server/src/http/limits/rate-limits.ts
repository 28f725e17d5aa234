import { problem, type Problem } from '../../lib/problem.ts'
import { callerId, type Actor } from '../endpoint/actor.ts'
import type { WindowCounter, WindowUsage } from './window-counter.ts'
import type { CreateCounter } from './window-counters.ts'

/**
 * The rate limit that a call counts against. Uploads have a separate, higher limit, because a file with many parts
 * requires many calls.
 */
export type Budget = 'requests' | 'uploads' | 'downloads'

export type RateSettings = {
  /** Maximum requests per minute for each key; 0 means no limit. */
  rateLimit: number
  /** Maximum requests per minute for the bootstrap key; 0 means no limit. */
  bootstrapRateLimit: number
  /** Maximum requests per minute for each signed-in user; 0 means no limit. */
  sessionRateLimit: number
  /** Maximum download links per minute for each application. Each workspace may use twice as many. 0 means no limit. */
  downloadRateLimit: number
}

type Caller = Pick<Actor, 'via' | 'id' | 'workspaceId'>
export type Charge = {
  name: string
  counter: WindowCounter
  usage: WindowUsage
  /** What the counter counts, for the error message; by default, this depends on the name. */
  subject?: string
}

const windowSeconds = 60
export const windowMs = windowSeconds * 1000
const uploadCallsPerRequest = 10

/**
 * Creates per-minute rate limits. `charge` returns the RateLimit headers (draft-ietf-httpapi-ratelimit-headers) and, if
 * a limit is exceeded, a Problem.
 */
export function createRateLimits(settings: RateSettings, createCounter: CreateCounter) {
  const counterOf = (name: string, limit: number) => createCounter(name, { limit, windowMs })
  const perCaller = (via: Actor['via'], limit: number) => ({
    requests: counterOf(`${via}-requests`, limit),
    uploads: counterOf(`${via}-uploads`, limit * uploadCallsPerRequest),
  })
  const budgets = {
    'api-key': perCaller('api-key', settings.rateLimit),
    'bootstrap-key': perCaller('bootstrap-key', settings.bootstrapRateLimit),
    session: perCaller('session', settings.sessionRateLimit),
  }
  const perApplication = counterOf('application-downloads', settings.downloadRateLimit)
  const perWorkspace = counterOf('workspace-downloads', settings.downloadRateLimit * 2)

  function* charges(caller: Caller, budget: Budget, applicationId: string | undefined): Generator<Charge> {
    const { workspaceId, via } = caller
    const take = (name: string, counter: WindowCounter, subject: string) => ({
      name,
      counter,
      usage: counter.take(subject),
    })
    const name = budget === 'uploads' ? 'uploads' : 'requests'
    const callerBudget = budgets[via][name]
    if (callerBudget.limit > 0)
      yield {
        ...take(name, callerBudget, callerId(caller)),
        subject: `${subjects[name]} ${via === 'session' ? 'by this user' : 'with this key'}`,
      }
    if (budget !== 'downloads' || perApplication.limit === 0) return
    yield take('application-downloads', perApplication, `${workspaceId} ${applicationId ?? ''}`)
    yield take('workspace-downloads', perWorkspace, workspaceId)
  }

  return {
    charge(caller: Caller, budget: Budget, applicationId: string | undefined) {
      const charged: Charge[] = []
      for (const charge of charges(caller, budget, applicationId)) {
        charged.push(charge)
        if (!charge.usage.isAllowed) break
      }
      const exhausted = charged.find((charge) => !charge.usage.isAllowed)
      return { headers: headersOf(charged), ...(exhausted && { problem: tooMany(exhausted) }) }
    },
  }
}

/** Returns the RateLimit headers (draft-ietf-httpapi-ratelimit-headers). */
export function headersOf(charges: Charge[]): Record<string, string> {
  if (charges.length === 0) return {}
  const items = (item: (charge: Charge) => string) => charges.map(item).join(', ')
  return {
    'ratelimit-policy': items(({ name, counter }) => `"${name}";q=${counter.limit};w=${windowSeconds}`),
    ratelimit: items(({ name, usage }) => `"${name}";r=${usage.remaining};t=${usage.resetSeconds}`),
  }
}

const subjects: Record<string, string> = {
  requests: 'requests',
  uploads: 'upload requests',
  'application-downloads': 'downloads of this application',
  'workspace-downloads': 'downloads of this workspace',
  address: 'requests without an API key from this address',
  'failed-keys': 'requests with an invalid API key from this address',
}

export function tooMany({ name, counter, usage, subject = subjects[name] ?? name }: Charge): Problem {
  const seconds = usage.resetSeconds
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  return rateExceeded({ subject, limit: counter.limit, wait }, { retryAfterSeconds: seconds })
}

export const rateExceeded = problem(
  'too_many',
  'rate.exceeded',
  'Too many {subject}: the limit is {limit} per minute. Try again in {wait}.',
)
