/** Returns the file name in a Content-Disposition header, or undefined if there is none. The name is not trusted. */
export function filenameInHeader(header: string | null | undefined): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1]
  return encoded === undefined ? /filename="?([^";]+)"?/i.exec(header ?? '')?.[1] : decodedText(encoded)
}

/** Returns the last segment of the path of a URL, decoded. */
export const filenameInUrl = (url: string): string =>
  decodedText(new URL(url).pathname.replace(/\/+$/, '').split('/').at(-1) ?? '')

/** Decodes percent-encoded text, or returns it unchanged if the encoding is invalid. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
