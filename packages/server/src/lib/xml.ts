// XML 1.0 cannot contain these characters, not even as references.
const invalid = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Replaces the characters that XML cannot contain. Unpaired surrogates become U+FFFD. */
export const replaceInvalidXml = (text: string, replacement: string): string =>
  text.toWellFormed().replaceAll(invalid, replacement)
