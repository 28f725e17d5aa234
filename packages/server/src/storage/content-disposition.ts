/**
 * `Content-Disposition: attachment` for any file name (RFC 6266): a quoted ASCII form for old clients and, where that
 * loses something, the real name as UTF-8 (RFC 5987).
 */
export function attachmentDisposition(filename: string): string {
  const name = filename.toWellFormed()
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  if (ascii === name) return `attachment; filename="${ascii}"`
  // RFC 5987 attr-char is narrower than what encodeURIComponent leaves alone.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const mediaType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(; ?[\w!#$&^.+-]{1,50}=[\w!#$&^.+-]{1,50})?$/

/** The type where it is one that can stand in a header, else `application/octet-stream`. */
export const safeContentType = (contentType: string): string =>
  mediaType.test(contentType) ? contentType : 'application/octet-stream'
