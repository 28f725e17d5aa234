import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Deps } from '../../deps.ts'
import { uuidSource } from '../../lib/ids.ts'
import { notFound, problem } from '../../lib/problem.ts'
import type { InstallChannel } from './install-grant.ts'

type Signing = Pick<Deps, 'secretBox' | 'clock'>
type RegisteringLink = { channel: InstallChannel; linkId: string }

const registrationSeconds = 60 * 60
const resultSeconds = 15 * 60
const pathPurpose = 'device registration v1'
const challengePurpose = 'device challenge v1'
const format = new RegExp(String.raw`^(([sgp])\.([\w-]{1,120})\.(${uuidSource})\.(\d{1,12}))\.([\w-]+)$`)

const secondsOf = ({ clock }: Pick<Signing, 'clock'>): number => Math.floor(clock.now().getTime() / 1000)

export const registrationExpired = problem(
  'gone',
  'device.registration_expired',
  'This registration has expired. Open the page of the download again, and register the device from there.',
)

const foreignChallenge = problem(
  'forbidden',
  'device.foreign_challenge',
  'The response does not belong to this registration. Open the page of the download again.',
)

/** Returns the segment of the URLs with which a device registers once through a link. */
export function createRegistrationToken(signing: Signing, { channel, linkId }: RegisteringLink): string {
  const text = [channel, linkId, randomUUID(), secondsOf(signing) + registrationSeconds].join('.')
  return `${text}.${signing.secretBox.token(pathPurpose, text)}`
}

/**
 * Returns the content of a registration token. Throws 404 unless this service created it for the channel, and 410 if it has
 * expired.
 */
export function openRegistrationToken(signing: Signing, token: string, channel: InstallChannel) {
  const [, text = '', sentChannel, linkId = '', challengeId = '', seconds, signature = ''] =
    format.exec(token) ?? []
  if (sentChannel !== channel || !signing.secretBox.isToken(signature, pathPurpose, text)) throw notFound()
  if (Number(seconds) <= secondsOf(signing)) throw registrationExpired()
  return {
    linkId,
    challengeId,
    // Only the profile contains the challenge, so a device must have opened it.
    challenge: signing.secretBox.token(challengePurpose, text),
    /** Throws 403 unless the device has returned the challenge of this registration. */
    requireChallenge(returned: string | null): void {
      if (!signing.secretBox.isToken(returned ?? '', challengePurpose, text)) throw foreignChallenge()
    },
  }
}

const Result = Type.Object({ udid: Type.String(), expiresAt: Type.Integer() })

const contextOf = ({ channel, linkId }: RegisteringLink): string =>
  `device registered v1 ${channel} ${linkId}`

/** Returns an encrypted text that tells the browser which device was registered. */
export const sealRegistered = (signing: Signing, link: RegisteringLink, udid: string): string =>
  signing.secretBox
    .seal(JSON.stringify({ udid, expiresAt: secondsOf(signing) + resultSeconds }), contextOf(link))
    .toString('base64url')

/** Returns the identifier of the registered device, or undefined if the text is for another link or has expired. */
export function openRegistered(signing: Signing, link: RegisteringLink, text: string): string | undefined {
  try {
    const opened: unknown = JSON.parse(
      signing.secretBox.open(Buffer.from(text, 'base64url'), contextOf(link)),
    )
    return Check(Result, opened) && opened.expiresAt > secondsOf(signing) ? opened.udid : undefined
  } catch {
    return undefined
  }
}
