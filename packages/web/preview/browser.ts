import { workerData } from 'node:worker_threads'
import { currentPage } from './page.ts'

// Takes the place of src/api/browser.ts in the thread that draws pages.

export const serviceUrl: string = (workerData as { publicUrl: string }).publicUrl

/** The status of a request without a response in time, which is left to the browser. */
export const missingStatus = 499

/** Sends a GET request to the service. Drawing a page must not change anything, so no other request is sent. */
export async function fetchOnce(url: string, { method }: RequestInit): Promise<Response> {
  const response = method === 'GET' ? await currentPage().load(url.slice(serviceUrl.length)) : undefined
  const { status, body } = response ?? { status: missingStatus, body: '{}' }
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(currentPage().userAgent)

export const isPhoneAtFirst = (): boolean => currentPage().isPhone

export const shownTimeZone = (): string | undefined => currentPage().timeZone

export const hiddenColumnsAtFirst = (): string[] => currentPage().hiddenColumns

export const storedText = (): null => null
