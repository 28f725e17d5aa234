import type { Deps } from '../../deps.ts'
import type { Cookie } from '../../http/wire/cookies.ts'
import { parseUdid } from '../devices/device.ts'

const cookieName = 'quayside_device'
const context = 'device cookie v1'
const lifetimeSeconds = 365 * 24 * 60 * 60

type Context = Pick<Deps, 'secretBox' | 'config'>

/** Returns the cookie with which a browser remembers its device on every page. The identifier in it is encrypted. */
export const deviceCookie = ({ secretBox, config }: Context, udid: string): Cookie => ({
  name: cookieName,
  value: secretBox.seal(udid, context).toString('base64url'),
  path: `${new URL(config.publicUrl).pathname.replace(/\/$/, '')}/`,
  maxAgeSeconds: lifetimeSeconds,
})

/** Returns the identifier of the device that a browser runs on, if this service created the cookie that contains it. */
export function knownUdid(
  { secretBox }: Pick<Deps, 'secretBox'>,
  cookies: ReadonlyMap<string, string>,
): string | undefined {
  const value = cookies.get(cookieName)
  if (value === undefined) return undefined
  try {
    return parseUdid(secretBox.open(Buffer.from(value, 'base64url'), context))
  } catch {
    return undefined
  }
}
