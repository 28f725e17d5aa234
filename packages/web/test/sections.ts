import type { Page } from 'playwright-core'
import type { Visitor } from './visit.ts'

type Section = { name: string; open: (visitor: Visitor) => Promise<void> }

/**
 * Returns the parts of a page that are not shown at first: its tabs, and the sections that its links select by a search
 * parameter.
 */
export async function sectionsOf(page: Page): Promise<Section[]> {
  const here = new URL(page.url())
  const hrefs = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  const paths = new Set(
    hrefs
      .map((href) => new URL(href))
      .filter(({ origin, pathname }) => origin === here.origin && pathname === here.pathname)
      .filter(({ searchParams }) => searchParams.has('section') || searchParams.has('tab'))
      .map(({ pathname, search }) => pathname + search)
      .filter((path) => path !== here.pathname + here.search),
  )
  const links = [...paths].map((path) => ({ name: path, open: (visitor: Visitor) => visitor.navigate(path) }))
  const names = await page.locator('main [role=tab][aria-selected=false]').allInnerTexts()
  const tabs = names.map((name) => ({
    name,
    async open({ page: opened, settle }: Visitor) {
      await opened.getByRole('tab', { name, exact: true }).click()
      await settle()
    },
  }))
  return [...links, ...tabs]
}
