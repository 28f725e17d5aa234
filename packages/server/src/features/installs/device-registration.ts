import { Type, type Static, type TObject } from 'typebox'
import { requireWorkspace } from '../../access/workspace.db.ts'
import { conflictsAs } from '../../database/conflicts.ts'
import { inTransaction, type Db } from '../../database/transaction.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import type { DocumentContent } from '../../http/pages/document.ts'
import { page, type Page, type PageCall, type PageResponse } from '../../http/pages/page.ts'
import { appleBrowserOf } from '../../lib/apple-browser.ts'
import { problem } from '../../lib/problem.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { chargePublicDownload } from '../builds/files/download.ts'
import { listBuildIdsForDevice } from '../builds/inspection/package-detail.db.ts'
import { deviceExists, parseUdid, registerDevice, type DeviceRegistration } from '../devices/device.ts'
import { deviceProfile, readDeviceResponse } from './device-profile.ts'
import { insertDeviceRegistration } from './device-registration.db.ts'
import { installChannels, installUrl, type InstallChannel } from './install-grant.ts'
import { deviceCookie } from './known-device.ts'
import { registeredDocument, registrationDocument } from './registration-document.ts'
import {
  createRegistrationToken,
  openRegistered,
  openRegistrationToken,
  registrationExpired,
  sealRegistered,
} from './registration-token.ts'

type Origin = Pick<
  DeviceRegistration,
  'source' | 'share_link_id' | 'distribution_group_id' | 'portal_id' | 'email'
>

type RegisteringLink = { id: string; workspace_id: string; application_id: string }

/** How visitors of the links of one kind register devices. */
export type RegistrationSource<Link extends RegisteringLink, P extends TObject> = {
  channel: InstallChannel
  /** The page of a link, and its parameters. */
  path: `/${string}`
  params: P
  /** Loads the link of the page; throws 404 or 410 if it cannot be used now. */
  load: (call: PageCall & { params: Static<P> }) => Promise<{ link: Link }>
  /** Loads a link whose ID was signed. Undefined ends the registration. */
  loadById: (call: Pick<PageCall, 'db' | 'config'>, linkId: string) => Promise<Link | undefined>
  /** The absolute URL of the page as the visitor opened it. */
  pageUrlOf: (call: PageCall, link: Link) => string
  /** Whether the visitor may see what the link shares. */
  isOpen: (call: PageCall, link: Link) => boolean
  listBuilds: (db: Db, link: Link) => Promise<BuildRow[]>
  /** Returns what a registered device records of the link. */
  originOf: (db: Db, link: Link) => Promise<Origin>
  explain: NonNullable<Page['explain']>
  /** Returns the page with what is around it on the other pages of the link. */
  frame?: (call: PageCall, link: Link, content: DocumentContent) => DocumentContent
}

/** Safari on an iPad says that it runs on a Mac. */
const isAppleDevice = ({ device }: Pick<PageCall, 'device'>): boolean =>
  device === 'ios' || device === 'macos'

const tokenParams = Type.Object({ install_grant: PathId('Signed segment of the URL.') })

/** Returns the pages with which an iPhone or iPad is registered: by a profile, or by entering its identifier. */
export function registrationPages<Link extends RegisteringLink, P extends TObject>(
  source: RegistrationSource<Link, P>,
) {
  const { channel, originOf, frame = (_call, _link, content) => content } = source
  const base = `/public/${installChannels[channel]}-installs/:install_grant` as const
  const { load, params, explain } = source
  const visited = { path: `${source.path}/device`, params, load, explain } as const

  const linkOf = ({ id: linkId }: Link) => ({ channel, linkId })
  const confirmation = (call: PageCall, pageUrl: string, link: Link, udid: string) =>
    `${pageUrl}/device?registered=${sealRegistered(call, linkOf(link), udid)}`

  function form(call: PageCall, link: Link, rejected?: { value: string }) {
    const pageUrl = source.pageUrlOf(call, link)
    const pagePath = new URL(pageUrl).pathname
    const { publicUrl } = call.config
    const token = createRegistrationToken(call, linkOf(link))
    const document = registrationDocument(
      {
        path: `${pagePath}/device`,
        pagePath,
        pageUrl: `${pageUrl}/device`,
        profileUrl: publicUrl.startsWith('https:')
          ? installUrl(publicUrl, token, 'device.mobileconfig')
          : undefined,
        browser: appleBrowserOf(call.userAgent),
        isOnDevice: isAppleDevice(call),
        ...(rejected && { rejected }),
      },
      call.text,
    )
    return frame(call, link, document)
  }

  const show = page({
    ...visited,
    method: 'GET',
    async handle({ link, ...call }): Promise<PageResponse> {
      const pagePath = new URL(source.pageUrlOf(call, link)).pathname
      const registered = call.fields.get('registered')
      const udid = registered === undefined ? undefined : openRegistered(call, linkOf(link), registered)
      if (udid === undefined) return source.isOpen(call, link) ? form(call, link) : { location: pagePath }
      const builds = await source.listBuilds(call.db, link)
      const included = await listBuildIdsForDevice(call, {
        workspaceId: link.workspace_id,
        udid,
        buildIds: builds.map(({ id }) => id),
      })
      const { device } = appleBrowserOf(call.userAgent)
      const confirmed = { pagePath, device, isOnDevice: isAppleDevice(call), isIncluded: included.length > 0 }
      return {
        ...frame(call, link, registeredDocument(confirmed, call.text)),
        cookies: [deviceCookie(call, udid)],
      }
    },
  })

  const submit = page({
    ...visited,
    method: 'POST',
    async handle({ link, ...call }): Promise<PageResponse> {
      const pageUrl = source.pageUrlOf(call, link)
      if (!source.isOpen(call, link)) return { location: new URL(pageUrl).pathname }
      const value = call.fields.get('udid') ?? ''
      const udid = parseUdid(value)
      if (udid === undefined) return { ...form(call, link, { value: value.slice(0, 100) }), status: 422 }
      await register(call, { link, originOf }, { udid, product: null, osVersion: null })
      return { location: confirmation(call, pageUrl, link, udid) }
    },
  })

  async function loadToken(call: PageCall & { params: Static<typeof tokenParams> }) {
    const registration = openRegistrationToken(call, call.params.install_grant, channel)
    const link = await source.loadById(call, registration.linkId)
    if (link === undefined) throw registrationExpired()
    return { registration, link }
  }
  const byToken = { params: tokenParams, load: loadToken, isForEveryClient: true } as const

  const profile = page({
    ...byToken,
    method: 'GET',
    path: `${base}/device.mobileconfig`,
    async handle({ registration, link, params: { install_grant: token }, ...call }): Promise<PageResponse> {
      const { name: organization } = await requireWorkspace(call.db, link.workspace_id)
      const { devices } = call.text
      const content = deviceProfile(
        {
          url: installUrl(call.config.publicUrl, token, 'device'),
          challenge: registration.challenge,
          organization,
        },
        { title: devices.profileTitle(organization), description: devices.profileDescription },
      )
      return {
        file: {
          contentType: 'application/x-apple-aspen-config',
          content,
          headers: { 'content-disposition': 'attachment; filename="device.mobileconfig"' },
        },
      }
    },
  })

  const receive = page({
    ...byToken,
    method: 'POST',
    path: `${base}/device`,
    async handle({ registration, link, ...call }): Promise<PageResponse> {
      const { challenge, ...device } = readDeviceResponse(call.body)
      registration.requireChallenge(challenge)
      await register(call, { link, originOf }, device, registration.challengeId)
      // iOS opens the page in Safari only after a permanent redirect, and rejects other responses as an invalid profile.
      return { location: confirmation(call, source.pageUrlOf(call, link), link, device.udid), status: 301 }
    },
  })
  return { show, submit, profile, receive } satisfies Record<string, Page>
}

const challengeUsed = problem(
  'gone',
  'device.challenge_used',
  'This registration has been completed. Open the page of the download again to register a device.',
)

const conflicts = { device_registrations_pkey: challengeUsed, devices_udid: deviceExists }

type Registering<Link> = { link: Link; originOf: (db: Db, link: Link) => Promise<Origin> }

/** Registers a device through a link. Throws 410 if its challenge has been used before. */
async function register<Link extends RegisteringLink>(
  call: PageCall,
  { link, originOf }: Registering<Link>,
  device: Pick<DeviceRegistration, 'udid' | 'product' | 'osVersion'>,
  challengeId?: string,
): Promise<void> {
  chargePublicDownload(call, `device ${link.id}`)
  const { workspace_id: workspaceId, application_id: applicationId } = link
  const registration = { workspaceId, applicationId, ...device, ...(await originOf(call.db, link)) }
  await conflictsAs(conflicts, () =>
    inTransaction(call.db, async (tx) => {
      if (challengeId !== undefined) await insertDeviceRegistration(tx, challengeId)
      await registerDevice(tx, call, registration)
    }),
  )
}
