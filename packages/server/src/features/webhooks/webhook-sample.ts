import { eventCatalogue, eventSamples, type EventName, type EventResources } from '../../events/catalogue.ts'
import type { Call } from '../../http/endpoint/endpoint.ts'
import { requireFullBuild } from '../builds/build.db.ts'
import { findNewestFeedback } from '../feedback/feedback.db.ts'
import { feedbackOfEvent } from '../feedback/feedback.ts'
import { requireFullRelease } from '../releases/release.ts'
import { findNewestBuildId, findNewestReleaseId, type Envelope } from './webhook-request.db.ts'
import { envelopeOf } from './webhook-request.ts'

/**
 * Returns the payload of a test request for an event. Its resources are taken from the most recent build or release, or
 * are sample data if there is none.
 */
export async function samplePayload(call: Call, applicationId: string, event: EventName): Promise<Envelope> {
  const { carries } = eventCatalogue[event]
  const [subject] = carries
  const latest = (await finders[subject]?.(call, applicationId)) ?? {}
  const sampleOf = (kind: keyof EventResources) => ({
    ...eventSamples[kind],
    ...(kind === 'channel' || (kind === subject && kind in finders) ? { application_id: applicationId } : {}),
  })
  const resources = Object.fromEntries(carries.map((kind) => [kind, latest[kind] ?? sampleOf(kind)]))
  return envelopeOf(event, { ...resources, test: true }, call.clock.now())
}

type Resources = { [Kind in keyof EventResources]?: EventResources[Kind] | undefined }

async function findLatestBuild({ db, config }: Call, applicationId: string): Promise<Resources> {
  const id = await findNewestBuildId(db, applicationId)
  if (id === undefined) return {}
  const build = await requireFullBuild(db, applicationId, id, config)
  return { build, stream: build.stream, label: build.labels[0] }
}

async function findLatestFeedback(call: Call, applicationId: string): Promise<Resources> {
  const { db, config } = call
  const feedback = await findNewestFeedback(db, applicationId)
  if (feedback === undefined) return findLatestBuild(call, applicationId)
  const build = await requireFullBuild(db, applicationId, feedback.build_id, config)
  return { feedback: feedbackOfEvent(feedback, config), build }
}

async function findLatestRelease({ db, config }: Call, applicationId: string): Promise<Resources> {
  const id = await findNewestReleaseId(db, applicationId)
  if (id === undefined) return {}
  return { release: await requireFullRelease(db, applicationId, id, config) }
}

const finders: Partial<Record<keyof EventResources, (call: Call, id: string) => Promise<Resources>>> = {
  build: findLatestBuild,
  feedback: findLatestFeedback,
  release: findLatestRelease,
}
