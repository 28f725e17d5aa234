/** Returns true for absolute http and https URLs; other URLs (javascript:, data:, file:) must never become links. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
