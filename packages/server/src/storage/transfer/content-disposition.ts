/**
 * Returns a `Content-Disposition: attachment` value for any file name (RFC 6266): a quoted ASCII name for old clients
 * and, if the ASCII name differs, the original name as UTF-8 (RFC 5987). Replaces directional formatting characters.
 */
export function attachmentDisposition(filename: string): string {
  // Directional formatting could disguise the real file extension in a download dialog.
  const name = filename.toWellFormed().replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '_')
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  if (ascii === name) return `attachment; filename="${ascii}"`
  // encodeURIComponent leaves some characters unescaped that RFC 5987 attr-char does not allow.
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const mediaType = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(; ?[\w!#$&^.+-]{1,50}=[\w!#$&^.+-]{1,50})?$/

// Types that browsers run or render: scripts, HTML, XML, SVG, style sheets, WebAssembly, PDF and browser extensions.
const activeSubtype =
  /script|html|xml|svg|xsl|xul|css|wasm|pdf|flash|xpinstall|java(?!-archive)|ecma|manifest/i
const passiveTypes = /^(application|audio|font|image|model|video)\//i
const plainText = /^text\/plain(;|$)/i

/**
 * Returns the media type if it is a valid header value and browsers do not run or render it as a document; otherwise
 * returns `application/octet-stream`. Files are served from the origin of the API and the console, so an uploaded
 * script must not load there even where `attachment` and `nosniff` have no effect, as in `<script src>`.
 */
export const safeContentType = (contentType: string): string =>
  mediaType.test(contentType) &&
  (plainText.test(contentType) || (passiveTypes.test(contentType) && !activeSubtype.test(contentType)))
    ? contentType
    : 'application/octet-stream'
