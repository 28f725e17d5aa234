import { escapeHtml } from '../../../lib/html.ts'
import { replaceInvalidXml } from '../../../lib/xml.ts'

/** Escapes text for XML, without the characters that XML cannot contain. */
export const escapeXml = (text: string): string =>
  escapeHtml(replaceInvalidXml(text, '')).replaceAll('\r', '&#13;')

// js-yaml and libyaml reject most of these characters, even in quotes. U+0085, U+2028 and U+2029 are line breaks in YAML 1.1,
// which libyaml reads as a space.
const notYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Returns a quoted YAML scalar. A JSON string is one if it contains only printable characters. */
export const yamlText = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replaceAll(
    notYaml,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const json = (value: unknown) => ({
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
})

/** Returns a text in one line for clients that reject an empty one. */
export const shortText = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, 200) || 'Application'

/** Returns the base64 form of a hexadecimal checksum. */
export const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** Returns the time in the format of RFC 822, which feeds use. */
export const feedDate = (date: Date): string => date.toUTCString().replace('GMT', '+0000')
