import type { Page } from 'playwright-core'

/** Returns the banner above the page that contains the text. */
export const bannerWith = (page: Page, text: string) => page.locator('main [role=status]', { hasText: text })

/** Marks the document, so that a reload can be noticed. */
export const markDocument = (page: Page) =>
  page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
/** Returns whether the page was not reloaded since then. */
export const isSameDocument = (page: Page) => page.evaluate(() => 'isSameDocument' in globalThis)
/** Follows a link to a page whose script has not been loaded. */
export const openLater = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState({}, '', to), path)
