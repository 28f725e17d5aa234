import { deviceCookie } from '../../packages/server/src/features/installs/known-device.ts'
import type { Service } from '../../packages/server/test/harness.ts'
import { iphone, safari } from '../../packages/server/test/ios-builds.ts'
import { signInToPortal } from '../../packages/server/test/portals.ts'
import type { VisitorPage } from './visitor-page.ts'
import type { VisitorWorld } from './visitor-world.ts'

const udid = '00008140-001A2B3C4D5E6F70'
const day = 24 * 3_600_000

/** Sends a form of a page, and returns where the response leads. */
async function post(url: string, path: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html' },
    body: new URLSearchParams(fields),
  })
  return response.headers.get('location') ?? ''
}

/** Creates share links in every state, and returns their pages. */
async function sharePages(service: Service, world: VisitorWorld): Promise<VisitorPage[]> {
  const { share, uploadApk, upload, changeLink } = world
  const apk = await uploadApk('wayfern-2.14.0.apk')
  const open = await share(apk, { max_downloads: 50, feedback_enabled: true })
  const locked = await share(apk, { password: 'heather-and-gorse' })
  const expired = await share(apk)
  const expires_at = new Date(Date.now() - day).toISOString()
  await service.deps.db.updateTable('share_links').set({ expires_at }).where('id', '=', expired.id).execute()
  const revoked = await share(apk)
  await changeLink(revoked.id, { is_active: false })
  const exhausted = await share(apk, { max_downloads: 1 })
  await post(exhausted.url, '/download')
  const bundle = await share(await upload('android', 'wayfern-2.14.0.aab'))
  const recent = await share(await uploadApk('wayfern-2.14.1.apk', { minimumApi: 33 }))
  const forPc = await share(await uploadApk('wayfern-2.14.0-x86.apk', { architectures: ['x86'] }))
  const feedback = { path: `${open.path}/feedback` }
  return [
    { name: 'share', ...open, isMeasured: true },
    { name: 'share-password', ...locked },
    {
      name: 'share-wrong-password',
      ...locked,
      entered: { fields: { password: 'gorse' }, action: locked.path },
    },
    { name: 'share-expired', ...expired },
    { name: 'share-revoked', ...revoked },
    { name: 'share-exhausted', ...exhausted },
    { name: 'share-unknown', path: '/s/unknown/unknown' },
    { name: 'android-app-bundle', ...bundle },
    { name: 'android-too-old', ...recent, headers: { 'sec-ch-ua-platform-version': '"11.0.0"' } },
    { name: 'android-other-processor', ...forPc },
    { name: 'feedback', ...feedback, isMeasured: true },
    {
      name: 'feedback-rejected',
      ...feedback,
      entered: { fields: { email: 'not-an-address@' }, action: feedback.path },
    },
    {
      name: 'feedback-sent',
      ...feedback,
      entered: { fields: { text: 'The map is blank until I zoom.' }, action: feedback.path },
    },
  ]
}

/** Shares builds for iPhones and iPads, and returns the pages of each obstacle. */
async function iosPages(service: Service, world: VisitorWorld): Promise<VisitorPage[]> {
  const { ipa, share } = world
  const { name, value } = deviceCookie(service.deps, udid)
  const cookie = { name, value }
  const adhoc = await share(await ipa({}))
  const included = await share(await ipa({ devices: [udid] }))
  const expired = await share(await ipa({ expires: new Date(Date.now() - day) }))
  const store = await share(await ipa({ type: 'appstore' }))
  const enterprise = await share(await ipa({ type: 'enterprise' }))
  const device = { path: `${adhoc.path}/device`, userAgent: iphone }
  // The page of a registration is at the public URL, to which a form of another address cannot lead.
  const { pathname, search } = new URL(await post(adhoc.url, '/device', { udid }))
  const registered = pathname + search
  const pages: VisitorPage[] = [
    { name: 'ios-unknown-device', ...adhoc },
    { name: 'ios-not-included', ...adhoc, cookie },
    { name: 'ios-included', ...included, cookie, isMeasured: true },
    { name: 'ios-expired-profile', ...expired },
    { name: 'ios-app-store', ...store },
    { name: 'ios-enterprise', ...enterprise },
    { name: 'ios-too-old', ...adhoc, userAgent: safari('14.2') },
    { name: 'ios-other-browser', ...adhoc, userAgent: iphone.replace('Version/17.5', 'CriOS/140.0') },
    { name: 'ios-plain-http', ...adhoc, isPlainHttp: true },
    { name: 'ios-register', ...device },
    {
      name: 'ios-register-rejected',
      ...device,
      entered: { fields: { udid: '1234' }, action: device.path },
    },
    { name: 'ios-registered', ...device, path: registered },
  ]
  return pages.map((page) => ({ userAgent: iphone, ...page }))
}

/** Creates portals and a group, and returns their pages. */
async function portalPages(service: Service, world: VisitorWorld): Promise<VisitorPage[]> {
  const { portals, portal: createPortal, sendRelease, pathOf, ipa } = world
  const ios = await ipa({ devices: [udid] })
  const releases = []
  for (const minor of [11, 12, 13, 14]) releases.push(await world.release(minor, ios))
  const [withdrawn, , , latest] = releases
  if (withdrawn === undefined || latest === undefined) throw new Error('missing releases')
  const fields = {
    name: 'Acme previews',
    description: 'New builds of Acme for people who like to be first.',
    accent_color: '#2f6f5e',
  }
  const modes = { streams_mode: 'all', releases_mode: 'all' }
  const portal = await createPortal({ ...fields, feedback_enabled: true }, modes)
  const closed = await createPortal({
    ...fields,
    type: 'private',
    allowed_visitors: ['@example.com'],
  })
  const empty = await createPortal({}, { releases_mode: 'none' })
  const home = pathOf(portal.portal_url)
  const closedHome = pathOf(closed.portal_url)
  const stream = `${home}/streams/${latest.builds[0]?.stream.id}`
  const [cookieName = '', cookieValue = ''] = (
    await signInToPortal(service, closed.id, { email: 'robin@example.com' })
  ).split('=')
  const personal = await sendRelease(latest, 'robin@example.com', { feedback_enabled: true })
  const past = await sendRelease(withdrawn, 'sasha@example.com')
  await portals.releases.withdraw(withdrawn.id)
  const subscriptionOf = async (email: string) => {
    const [mail = ''] = await world.groups.mailsTo(email)
    return pathOf(/^http\S+\/group-subscriptions\/\S+$/m.exec(mail)?.[0] ?? '')
  }
  const unsubscribed = await subscriptionOf('sasha@example.com')
  await post(service.url, unsubscribed)
  return [
    { name: 'group', path: personal.path, isMeasured: true },
    { name: 'group-withdrawn', path: past.path },
    { name: 'group-unsubscribe', path: await subscriptionOf('robin@example.com') },
    { name: 'group-unsubscribed', path: unsubscribed },
    { name: 'portal', path: home, isMeasured: true },
    { name: 'portal-search', path: `${home}?q=2.13` },
    { name: 'portal-nothing-found', path: `${home}?q=atlas` },
    { name: 'portal-changelog', path: `${home}/changelog`, isMeasured: true },
    { name: 'portal-release', path: `${home}/releases/${latest.id}`, isMeasured: true },
    { name: 'portal-stream', path: stream, isMeasured: true },
    { name: 'portal-build', path: `${stream}/builds/${latest.builds[0]?.id}` },
    { name: 'portal-feedback', path: `${home}/releases/${latest.id}/feedback` },
    { name: 'portal-device', path: `${home}/releases/${latest.id}/device`, userAgent: iphone },
    { name: 'portal-not-found', path: `${home}/releases/unknown` },
    { name: 'portal-withdrawn', path: `${home}/releases/${withdrawn.id}` },
    { name: 'portal-empty', path: pathOf(empty.portal_url) },
    { name: 'private-portal-email', path: closedHome },
    {
      name: 'private-portal-code',
      path: closedHome,
      entered: { fields: { email: 'robin@example.com' }, action: `${closedHome}/code` },
    },
    { name: 'private-portal', path: closedHome, cookie: { name: cookieName, value: cookieValue } },
  ]
}

/** Creates what visitors can open in every state, and returns the pages. */
export async function createVisitorPages(service: Service, world: VisitorWorld): Promise<VisitorPage[]> {
  return [
    ...(await sharePages(service, world)),
    ...(await iosPages(service, world)),
    ...(await portalPages(service, world)),
  ]
}
