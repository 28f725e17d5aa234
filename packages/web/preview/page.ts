import { AsyncLocalStorage } from 'node:async_hooks'
import type { PageRequest, PageResponse } from '../../server/src/site/console/preview-messages.ts'

type Page = Pick<PageRequest, 'userAgent' | 'isPhone' | 'timeZone' | 'hiddenColumns'> & {
  /** Sends a GET request to the service in the name of the visitor. Returns undefined if there is no response in time. */
  load: (url: string) => Promise<PageResponse | undefined>
}

const pages = new AsyncLocalStorage<Page>()

/** Runs a function with `currentPage` set, also in everything that it calls later. */
export const runWithPage = <Result>(page: Page, run: () => Result): Result => pages.run(page, run)

/** Returns the page that is drawn now. */
export function currentPage(): Page {
  const page = pages.getStore()
  if (page === undefined) throw new Error('no page is drawn now')
  return page
}
