import type { SecretBox } from '../crypto/secret-box.ts'

const purpose = 'return path v1'
const uuidDigits = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/**
 * Returns the sender in the envelope of an email, such as `bounces+ID-SIGNATURE@example.com`, to which mail servers send
 * delivery reports. The signature prevents others from reporting addresses as undeliverable.
 */
export function returnPathOf(
  secretBox: Pick<SecretBox, 'shortToken'>,
  address: string,
  mailId: string,
): string {
  const at = address.lastIndexOf('@')
  const token = `${mailId.replaceAll('-', '')}${secretBox.shortToken(purpose, mailId)}`
  return `${address.slice(0, at)}+${token}${address.slice(at)}`
}

/** Returns the ID of the email with this return path; undefined if the service did not create it. */
export function mailIdOf(secretBox: Pick<SecretBox, 'isShortToken'>, returnPath: string): string | undefined {
  // Some mail servers change the case of the address.
  const [, digits = '', token = ''] = /\+([0-9a-f]{32})([0-9a-z]{20})@/.exec(returnPath.toLowerCase()) ?? []
  const mailId = uuidDigits.exec(digits)?.slice(1).join('-')
  return mailId !== undefined && secretBox.isShortToken(token, purpose, mailId) ? mailId : undefined
}
