import { randomUUID } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { uuidSource } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'

/** The pages whose visitors install builds. Paths below `/i/` start with the letter. */
export const installChannels = { s: 'share', g: 'group', p: 'portal' } as const
export type InstallChannel = keyof typeof installChannels

/**
 * The lifetime of a grant. A person may read the page for a while before the installation, and a slow installation
 * requests the file repeatedly.
 */
const installGrantSeconds = 6 * 60 * 60

/**
 * What a grant permits: to download one build through one link or portal. `installId` becomes the ID of the recorded
 * download.
 */
export type InstallGrant = { channel: InstallChannel; linkId: string; buildId: string; installId: string }

type Signing = Pick<Deps, 'secretBox' | 'clock'>

const purpose = 'install grant v1'
const passwordPurpose = 'install grant password v1'
const format = new RegExp(
  String.raw`^(([sgp])\.([\w-]{1,60})\.(\w{1,20})\.(${uuidSource})\.([\w-]{0,16})\.(\d{1,12}))\.([\w-]+)$`,
)

/** Returns what a grant contains of the password, so that changing the password of the link ends the grants. */
const passwordPart = ({ secretBox }: Pick<Signing, 'secretBox'>, hash: string | null): string =>
  hash === null ? '' : secretBox.token(passwordPurpose, hash).slice(0, 16)

/** Returns the segment of the URLs with which a device installs a build, which it requests without cookies. */
export function createInstallGrant(
  signing: Signing,
  { channel, linkId, buildId }: Omit<InstallGrant, 'installId'>,
  passwordHash: string | null,
): string {
  const expiresAt = Math.floor(signing.clock.now().getTime() / 1000) + installGrantSeconds
  const text = [channel, linkId, buildId, randomUUID(), passwordPart(signing, passwordHash), expiresAt].join(
    '.',
  )
  return `${text}.${signing.secretBox.token(purpose, text)}`
}

/**
 * Returns the content of a grant and whether it belongs to the current password of its link. Throws 404 unless this service
 * created it for the channel, and 410 if it has expired.
 */
export function openInstallGrant(signing: Signing, grant: string, channel: InstallChannel) {
  const [
    ,
    text = '',
    sentChannel,
    linkId = '',
    buildId = '',
    installId = '',
    password = '',
    seconds,
    signature = '',
  ] = format.exec(grant) ?? []
  if (sentChannel !== channel || !signing.secretBox.isToken(signature, purpose, text)) throw notFound()
  if (Number(seconds) * 1000 <= signing.clock.now().getTime()) throw grantExpired()
  return {
    linkId,
    buildId,
    installId,
    requirePassword(hash: string | null): void {
      if (password !== passwordPart(signing, hash)) throw grantExpired()
    },
  }
}

export const grantExpired = problem(
  'gone',
  'install.expired',
  'This installation link has expired. Open the page of the download again, and install from there.',
)

const prefix = '/i/'
/** The letter `t` is for the address test (`manifest-check.ts`). */
const pathNames = { ...installChannels, t: 'test' } as const
const channelOf = /^\/i\/([sgpt])\.[^/?]+\/[^/?]+(?:\?.*)?$/s

/**
 * Replaces the path of an installation, `/i/{grant}/…`, with the path of the page that serves it. Any other path below
 * `/i/` becomes one that does not exist.
 */
export function expandInstallPath(url: string): string {
  if (!url.startsWith(prefix)) return url
  const channel = channelOf.exec(url)?.[1] as keyof typeof pathNames | undefined
  if (channel === undefined) return '/api/v1/public/installs'
  return `/api/v1/public/${pathNames[channel]}-installs/${url.slice(prefix.length)}`
}

/** Returns the URL of a file of an installation. */
export const installUrl = (publicUrl: string, grant: string, filename: string): string =>
  `${publicUrl}${prefix}${grant}/${encodeURIComponent(filename)}`

/**
 * Returns the link that starts an installation on an iPhone or iPad. The URL is encoded completely, because iOS ends it at
 * the first `&`.
 */
export const itmsUrl = (publicUrl: string, grant: string): string =>
  `itms-services://?action=download-manifest&url=${encodeURIComponent(installUrl(publicUrl, grant, 'manifest.plist'))}`
