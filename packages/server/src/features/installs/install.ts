import { Type } from 'typebox'
import type { Db } from '../../database/transaction.ts'
import { PathId } from '../../http/endpoint/fields.ts'
import { page, type Page, type PageCall, type PageResponse } from '../../http/pages/page.ts'
import type { IosInfo } from '../../inspection/inspection.ts'
import { notFound, problem } from '../../lib/problem.ts'
import { includesFirstByte } from '../../storage/transfer/byte-range.ts'
import type { BuildRow } from '../builds/build.db.ts'
import { findDownload } from '../builds/files/download.db.ts'
import { chargePublicDownload, publicLinkLifeSeconds, requireFileLink } from '../builds/files/download.ts'
import { listFiles } from '../builds/files/file.db.ts'
import { requireApplicationOfPage } from '../download-pages/download-page.db.ts'
import {
  createInstallGrant,
  grantExpired,
  installChannels,
  installUrl,
  itmsUrl,
  openInstallGrant,
  type InstallChannel,
} from './install-grant.ts'
import { knownUdid } from './known-device.ts'
import { findManifestIcon, iconFilename, scaleIcon } from './manifest-icons.ts'
import { installManifest } from './manifest.ts'

/** The columns of the download that an installation records. */
type InstallDownload = { id: string; file_id: string; is_install: true }

/** How the links of one kind give access to builds. */
export type InstallSource<Link extends { id: string }> = {
  channel: InstallChannel
  /** Loads a link whose ID was signed; throws 404 or 410 if it cannot be used now. Undefined ends the grant. */
  load: (db: Db, linkId: string) => Promise<Link | undefined>
  passwordHashOf: (link: Link) => string | null
  /** Returns the build if the link still gives access to it. */
  findBuild: (db: Db, link: Link, buildId: string) => Promise<BuildRow | undefined>
  /** Throws 410 if the link has reached its download limit. */
  requireDownloadsLeft: (link: Link) => void
  /**
   * Counts and records a download, unless a concurrent request has just recorded one with this ID; throws 410 if the
   * link can no longer be used.
   */
  record: (call: PageCall, link: Link, build: BuildRow, download: InstallDownload) => Promise<void>
}

const params = Type.Object({
  install_grant: PathId('Signed segment of the URL, which permits the installation of one build.'),
})
const fileParams = Type.Object({ ...params.properties, install_file: PathId('Name of the file.') })

/** A device sends HEAD and ranges to the package, and requests it repeatedly, without the cookies of the browser. */
export function installPages<Link extends { id: string }>(
  source: InstallSource<Link>,
): { manifest: Page; file: Page } {
  const base = `/public/${installChannels[source.channel]}-installs/:install_grant` as const

  async function load(call: PageCall & { params: { install_grant: string } }) {
    const grant = openInstallGrant(call, call.params.install_grant, source.channel)
    const link = await source.load(call.db, grant.linkId)
    if (link === undefined) throw grantExpired()
    grant.requirePassword(source.passwordHashOf(link))
    const build = await source.findBuild(call.db, link, grant.buildId)
    const [file] = build === undefined ? [] : await listFiles(call.db, build.id)
    if (build === undefined || file === undefined) throw notFound()
    const isStarted = (await findDownload(call.db, grant.installId, build.id)) !== undefined
    if (!isStarted) source.requireDownloadsLeft(link)
    return { grant, link, build, file, isStarted }
  }

  const definition = { method: 'GET', isForEveryClient: true, load } as const
  return {
    manifest: page({
      ...definition,
      path: `${base}/manifest.plist`,
      params,
      handle: (call) => sendManifest(call, call),
    }),
    file: page({
      ...definition,
      path: `${base}/:install_file`,
      params: fileParams,
      async handle({ grant, link, build, file, isStarted, ...call }) {
        const icon = findManifestIcon(call.params.install_file)
        if (icon !== undefined) {
          const { icons } = await findIcons(call, build)
          if (icons === undefined) throw notFound()
          return { file: { contentType: 'image/png', content: icons[icon] } }
        }
        if (call.method === 'HEAD')
          return {
            file: {
              contentType: 'application/octet-stream',
              content: { headOf: file.size_bytes },
              headers: { 'accept-ranges': 'bytes' },
            },
          }
        const isRead = !call.isHead && includesFirstByte(call.range, file.size_bytes)
        if (!isStarted && !isRead) throw notStarted()
        if (!isStarted) chargePublicDownload(call, link.id)
        const { file_id, location } = await requireFileLink(call, build.id, {
          fileId: file.id,
          expiresInSeconds: publicLinkLifeSeconds,
        })
        if (!isStarted)
          await source.record(call, link, build, { id: grant.installId, file_id, is_install: true })
        return { location, status: 302 }
      },
    }),
  }
}

async function sendManifest(
  call: PageCall,
  loaded: {
    build: BuildRow
    file: { filename: string; size_bytes: number; checksum_sha256: string | null }
  } & {
    params: { install_grant: string }
  },
): Promise<PageResponse> {
  const { config } = call
  const { build, file, params: sent } = loaded
  const info = build.ios_info as IosInfo | null
  if (info === null || info.bundle_id === null) throw noIosApp()
  const { application, icons } = await findIcons(call, build)
  const urlOf = (name: string) => installUrl(config.publicUrl, sent.install_grant, name)
  const manifest = installManifest({
    url: urlOf(file.filename),
    sizeBytes: file.size_bytes,
    sha256: file.checksum_sha256,
    iconUrlOf: icons && ((icon) => urlOf(iconFilename(icon))),
    info: { ...info, bundle_id: info.bundle_id },
    title: application.name,
    subtitle: info.team_name ?? application.workspace_name,
  })
  return { file: { contentType: 'text/xml; charset=utf-8', content: manifest } }
}

/** Returns the application of a build, and the icon of the build or else of the application in the sizes of the manifest. */
async function findIcons(call: PageCall, { application_id, icon_object_key }: BuildRow) {
  const application = await requireApplicationOfPage(call.db, application_id)
  const key = icon_object_key ?? application.icon_object_key
  return { application, icons: key === null ? undefined : await scaleIcon(call, key) }
}

const noIosApp = problem(
  'conflict',
  'install.no_ios_app',
  'This build is not an application for iPhone and iPad, or its file has not been read yet.',
)

const notStarted = problem(
  'conflict',
  'install.not_started',
  'This installation has not been started. Request the file from its first byte.',
)

type InstallLink = {
  channel: InstallChannel
  linkId: string
  passwordHash: string | null
  /** The absolute URL of the page that the visitor opened. */
  pageUrl: string
}

/** Returns how visitors of a page install builds. Opening the page counts nothing, because a grant is not stored. */
export const iosInstallation = (
  call: Pick<PageCall, 'secretBox' | 'clock' | 'config' | 'cookies'>,
  { channel, linkId, passwordHash, pageUrl }: InstallLink,
) => ({
  udid: knownUdid(call, call.cookies),
  urlOf: ({ id }: { id: string }) =>
    itmsUrl(call.config.publicUrl, createInstallGrant(call, { channel, linkId, buildId: id }, passwordHash)),
  devicePath: `${new URL(pageUrl).pathname}/device`,
  pageUrl,
})
