/**
 * Returns whether the text is an absolute http or https URL. Other URLs (javascript:, data:, file:) must never become
 * links.
 */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
