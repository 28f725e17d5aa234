import { drawIcon } from '../drawing/icons.ts'
import { testers } from '../plan/people.ts'
import { daysBefore, hoursAfter, type Seeding } from '../seeding.ts'
import { profileDevices } from './build-file.ts'
import type { SeededRelease } from './seed-releases.ts'
import { phones, readLink } from './visits.ts'

/** Devices with their position in the provisioning profile. The last one was registered after the profile was created. */
const devices = [
  { name: 'Amara’s iPhone', email: testers.fieldTesters[0], position: 0 },
  { name: 'Björn’s iPhone', email: testers.fieldTesters[1], position: 1 },
  { name: 'Office iPad', email: null, position: 2 },
  { name: 'Hyejin’s iPhone', email: testers.fieldTesters[6], position: 14 },
] as const

/** Registers the devices of testers. */
export async function seedDevices({ client, journal, now }: Seeding): Promise<void> {
  const udids = profileDevices(15)
  for (const { name, email = null, position } of devices) {
    const udid = udids[position]
    if (udid === undefined) throw new Error(`There is no device ${position}.`)
    const { data } = await client.createDevice({ body: { udid, name, email } })
    journal.record({ subject: data.id, at: daysBefore(now, 100 - position * 6), by: 'kwame' })
  }
}

const messages = [
  {
    text: 'The map stays blank after I cross a tile border without a signal. Zooming out and in again helps.',
    rating: '2',
    name: 'Chiara',
    platform: 'android',
    hasScreenshot: true,
  },
  {
    text: 'Contour lines are finally readable in the sun. Thank you!',
    rating: '5',
    email: testers.fieldTesters[3],
    platform: 'ios',
  },
  { text: 'The compass calibrates on every start.', rating: '3', platform: 'ios', isClosed: true },
] as const

/** Sends feedback about the newest release of Wayfern through a share link, and closes some of it. */
export async function seedFeedback(seeding: Seeding, releases: readonly SeededRelease[]): Promise<void> {
  const { client, journal, now, url } = seeding
  const newest = releases.findLast(
    ({ application, status }) => application.plan.slug === 'wayfern' && status === 'published',
  )
  if (newest === undefined) return
  const { id: release_id, application, at } = newest
  const { id: application_id, plan } = application
  const { data: link } = await client.createReleaseShareLink({
    application_id,
    release_id,
    body: { feedback_enabled: true },
  })
  const created = hoursAfter(at, 2)
  journal.record({ subject: link.id, action: 'share_link.created', at: created, by: plan.lead })
  const page = readLink(url, link.url)
  for (const [index, { platform, ...message }] of messages.entries()) {
    const build = newest.builds.find((each) => each.platform === platform)
    if (build === undefined) throw new Error(`${newest.title} has no build for ${platform}.`)
    await sendFeedback(page, { ...message, buildId: build.id, userAgent: phones[platform] })
    const { data } = await client.listFeedback({ application_id, sort: 'desc', per_page: 1 })
    const [feedback] = data
    if (feedback === undefined) throw new Error('The feedback was not accepted.')
    const hours = Math.min(5 + index * 9, (now.getTime() - created.getTime()) / 3_600_000)
    const sentAt = hoursAfter(created, hours * 0.8)
    journal.record({ subject: feedback.id, at: sentAt })
    if (!('isClosed' in message)) continue
    await client.updateFeedback({ application_id, feedback_id: feedback.id, body: { state: 'closed' } })
    const action = 'feedback.updated'
    journal.record({ subject: feedback.id, action, at: hoursAfter(created, hours), by: plan.lead })
  }
}

type Message = {
  text: string
  rating: string
  name?: string
  email?: string | undefined
  hasScreenshot?: boolean
  buildId: string
  userAgent: string | undefined
}

/** Sends the form of the page, as a browser does. */
async function sendFeedback(page: string, { buildId, userAgent = '', ...message }: Message): Promise<void> {
  const { text, rating, name = '', email = '', hasScreenshot = false } = message
  const form = new FormData()
  for (const [field, value] of Object.entries({ build_id: buildId, text, rating, name, email }))
    form.append(field, value)
  if (hasScreenshot) {
    const screenshot = new Uint8Array(drawIcon('wayfern', 480))
    form.append('screenshots', new Blob([screenshot], { type: 'image/png' }), 'map.png')
  }
  const headers = {
    'user-agent': userAgent,
    'sec-fetch-site': 'same-origin',
    // RFC 5737 reserves this range for documentation.
    'x-forwarded-for': '203.0.113.9',
  }
  const response = await fetch(`${page}/feedback`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers,
  })
  if (response.status !== 303) throw new Error(`${response.status}: ${await response.text()}`)
  await response.body?.cancel()
}
