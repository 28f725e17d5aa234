import type { SettingReader } from './setting-reader.ts'

/** Reads where security problems can be reported, as the URIs that security.txt lists (RFC 9116, section 2.5.3). */
export const readSecurityContacts = ({ list }: Pick<SettingReader, 'list'>): string[] =>
  list(
    'QUAYSIDE_SECURITY_CONTACT',
    (entry) => isMailAddress(entry) || isContactUri(entry),
    'addresses such as security@example.com or https://example.com/security',
  ).map((entry) => (isMailAddress(entry) ? `mailto:${entry}` : entry))

const isMailAddress = (text: string): boolean => /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text)

/** Only printable ASCII characters are allowed, so that a value cannot add lines to the file. */
const isContactUri = (text: string): boolean =>
  /^(https:\/\/|mailto:|tel:)[!-~]+$/i.test(text) && URL.canParse(text)
