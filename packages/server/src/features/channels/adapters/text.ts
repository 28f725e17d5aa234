// XML 1.0 has no way to write these characters.
// eslint-disable-next-line no-control-regex -- the expression removes control characters
const notXml = /[\0-\b\v\f\u000e-\u001f\ufffe\uffff]/g

/** Escapes text for XML, without the characters that XML cannot contain. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(notXml, '')
    .replaceAll(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`)

// js-yaml and libyaml reject these characters, even in quotes.
const notYaml = /[\u007f-\u0084\u0086-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

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

/** Returns the base64 form of a hexadecimal checksum. */
export const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** Returns the time in the format of RFC 822, which feeds use. */
export const feedDate = (date: Date): string => date.toUTCString().replace('GMT', '+0000')
