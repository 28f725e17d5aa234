import { version } from '../config/version.ts'
import { createPasswords } from '../crypto/password.ts'
import { dependents } from '../dependents.ts'
import type { Deps } from '../deps.ts'
import { createEventStreams } from '../events/event-streams.ts'
import { windowMs } from '../http/limits/rate-limits.ts'
import { createWindowCounters } from '../http/limits/window-counters.ts'
import { createRunOnDatabase } from '../http/replica/replica-reads.ts'
import { createSessionCookie } from '../http/wire/session-cookie.ts'
import { createComparer } from '../inspection/comparison/run-comparison.ts'
import { createImageEncoder } from '../inspection/images/image-encoder.ts'
import { createPatcher } from '../inspection/patching/run-patching.ts'
import { createInspector } from '../inspection/run-inspection.ts'
import type { Queue } from '../jobs/job-queue.ts'
import { limitConcurrencyByName } from '../lib/concurrency.ts'
import { createInFlight } from '../lib/in-flight.ts'
import { createAddressRules } from '../net/address-rules.ts'
import { createIssuerKeys } from '../net/issuer-keys.ts'
import { createMailer } from '../net/mailer.ts'
import { createJsonReader, createPoster, type JsonReader } from '../net/outgoing.ts'
import { returnPathOf } from '../net/return-path.ts'
import { createTxtRecords } from '../net/txt-records.ts'
import type { State } from './open-state.ts'
import type { StartContext } from './start-context.ts'
import type { Listener } from './start-listener.ts'

const callsPerPassword = 10
const publicDownloadsPerDownload = 2
const hourMs = 60 * 60 * 1000

type Parts = {
  listener: Listener
  state: State
  queue: Queue
}

/** Creates what endpoints and jobs use. `reader` reads the documents of identity providers. */
export function createDeps(
  { listener, state, queue }: Parts,
  { log, clock, closers }: StartContext,
): { deps: Deps; reader: JsonReader } {
  const { config, telemetry, uploadTurns, isSoleService, connectionLimit } = listener
  const { database, storage, hostedStorage, customStores, secretBox, secrets } = state
  const { db } = database
  const { publicUrl } = config
  const { smtpUrl, mailFrom: from, mailBounceAddress: bounces } = config
  const returnPath = bounces === undefined ? undefined : (id: string) => returnPathOf(secretBox, bounces, id)
  const mailer = smtpUrl === undefined ? undefined : createMailer({ smtpUrl, from, returnPath })
  closers.push(async () => await mailer?.close())
  const issuerAddresses = createAddressRules(config.issuerAllowPrivate)
  const reader = createJsonReader(issuerAddresses, `Quayside/${version}`)
  closers.push(() => reader.close())
  const webhookPoster = createPoster(createAddressRules(config.webhookAllowPrivate))
  closers.push(() => webhookPoster.close())
  const passwords = createPasswords()
  closers.push(() => passwords.close())
  const eventStreams = createEventStreams({
    db,
    log,
    sharedWith: isSoleService ? undefined : database.direct,
    eventStreamLimit: Math.min(config.eventStreamLimit, Math.floor((connectionLimit ?? Infinity) / 2)),
    eventStreamsPerKey: config.eventStreamsPerKey,
  })
  closers.push(() => eventStreams.close())
  const counters = createWindowCounters({ db, log, isShared: !isSoleService })
  closers.push(() => counters.close())
  const deps: Deps = {
    db,
    storage,
    hostedStorage,
    customStores,
    queue,
    inFlight: createInFlight(),
    uploadTurns,
    exclusive: limitConcurrencyByName(1),
    clock,
    log,
    metrics: telemetry.metrics,
    tracing: telemetry.tracing,
    secretBox,
    sessionCookie: createSessionCookie({ publicUrl, ...secrets }),
    passwords,
    inspector: createInspector({ log }),
    comparer: createComparer({ log }),
    patcher: createPatcher({ log }),
    imageEncoder: createImageEncoder({ log }),
    runOnDatabase: createRunOnDatabase({ db, replica: database.replica, log }),
    ...createRateCounters(counters.create, config),
    mailer,
    txtRecords: createTxtRecords(config.dnsServers),
    issuerKeys: createIssuerKeys({ reader, clock }),
    issuerAddresses,
    webhookPoster,
    eventStreams,
    dependents,
    config,
  }
  return { deps, reader }
}

const createRateCounters = (
  createCounter: Deps['createCounter'],
  { rateLimit, downloadRateLimit }: Deps['config'],
): Pick<
  Deps,
  'createCounter' | 'passwordChanges' | 'publicDownloads' | 'publicFeedback' | 'accessRequests'
> => ({
  createCounter,
  passwordChanges: createCounter('password-changes', {
    limit: Math.ceil((rateLimit || Infinity) / callsPerPassword),
    windowMs,
  }),
  publicDownloads: createCounter('public-downloads', {
    limit: (downloadRateLimit || Infinity) * publicDownloadsPerDownload,
    windowMs,
  }),
  publicFeedback: {
    byNetwork: createCounter('feedback-by-network', { limit: 20, windowMs: hourMs }),
    byLink: createCounter('feedback-by-link', { limit: 60, windowMs: hourMs }),
    byBuild: createCounter('feedback-by-build', { limit: 200, windowMs: hourMs }),
  },
  accessRequests: createCounter('access-requests', { limit: 10, windowMs: hourMs }),
})
