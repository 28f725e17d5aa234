import { Problem } from '../lib/problem.ts'
import { createWindowCounter, type Taken, type WindowCounter } from '../lib/window-counter.ts'
import type { Actor } from './actor.ts'

/** What a call is charged to. Uploads have one of their own: no CI client backs off while it sends parts. */
export type Budget = 'requests' | 'uploads' | 'downloads'

export type RateSettings = {
  /** Requests a minute a key; 0 = no limit. */
  rateLimit: number
  /** The same for the bootstrap key. */
  bootstrapRateLimit: number
  /** Download links a minute an application, twice as many a workspace; 0 = no limit. */
  downloadRateLimit: number
}

export type RateLimits = ReturnType<typeof createRateLimits>

type Caller = Pick<Actor, 'via' | 'keyId' | 'workspaceId'>
type Charge = { name: string; counter: WindowCounter; taken: Taken }

const windowSeconds = 60
const uploadCallsForOneRequest = 10

/**
 * Budgets of a minute, counted by this process. `charge` answers the headers of RateLimit fields (draft-ietf-httpapi-ratelimit-headers),
 * and the Problem when one budget is spent.
 */
export function createRateLimits(settings: RateSettings, now?: () => number) {
  const counter = (most: number) =>
    createWindowCounter({ most, windowMs: windowSeconds * 1000, ...(now && { now }) })
  const perKey = (most: number) => ({
    requests: counter(most),
    uploads: counter(most * uploadCallsForOneRequest),
  })
  const keys = perKey(settings.rateLimit)
  const bootstrap = perKey(settings.bootstrapRateLimit)
  const ofApplication = counter(settings.downloadRateLimit)
  const ofWorkspace = counter(settings.downloadRateLimit * 2)

  function* charges(caller: Caller, budget: Budget, applicationId: string | undefined): Generator<Charge> {
    const { keyId, workspaceId, via } = caller
    const take = (name: string, from: WindowCounter, subject: string) => ({
      name,
      counter: from,
      taken: from.take(subject),
    })
    const own = via === 'bootstrap-key' ? bootstrap : keys
    const name = budget === 'uploads' ? 'uploads' : 'requests'
    if (own[name].most > 0) yield take(name, own[name], keyId ?? `bootstrap ${workspaceId}`)
    if (budget !== 'downloads' || ofApplication.most === 0) return
    yield take('application-downloads', ofApplication, `${workspaceId} ${applicationId ?? ''}`)
    yield take('workspace-downloads', ofWorkspace, workspaceId)
  }

  return {
    charge(caller: Caller, budget: Budget, applicationId: string | undefined) {
      const taken: Charge[] = []
      for (const charge of charges(caller, budget, applicationId)) {
        taken.push(charge)
        if (!charge.taken.isAllowed) break
      }
      const spent = taken.find((charge) => !charge.taken.isAllowed)
      return { headers: headersOf(taken), ...(spent && { problem: tooMany(spent) }) }
    },
  }
}

function headersOf(charges: Charge[]): Record<string, string> {
  if (charges.length === 0) return {}
  const items = (item: (charge: Charge) => string) => charges.map(item).join(', ')
  return {
    'ratelimit-policy': items(({ name, counter }) => `"${name}";q=${counter.most};w=${windowSeconds}`),
    ratelimit: items(({ name, taken }) => `"${name}";r=${taken.remaining};t=${taken.resetSeconds}`),
  }
}

const subjects: Record<string, string> = {
  requests: 'requests of this key',
  uploads: 'upload calls of this key',
  'application-downloads': 'downloads of this application',
  'workspace-downloads': 'downloads of this workspace',
}

function tooMany({ name, counter, taken }: Charge): Problem {
  const seconds = taken.resetSeconds
  return new Problem(
    'too_many',
    'rate.exceeded',
    `Too many ${subjects[name] ?? name}: ${counter.most} a minute are allowed. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  )
}
