// The thread that draws pages is built from packages/web/preview, which imports these types.

/** A page to draw. `id` is different for each. */
export type PageRequest = {
  type: 'draw'
  id: number
  /** The path and query below the path of the service. */
  path: string
  userAgent: string
  isPhone: boolean
  /** Undefined if it is unknown. */
  timeZone: string | undefined
  /** Columns of the builds list. The server does not know their names. */
  hiddenColumns: string[]
}

/** A GET request that a page needs, to a URL without the origin and path of the service. */
export type ResponseRequest = { type: 'load'; id: number; pageId: number; url: string }

/** A response of the service to a GET request. `url` has no origin. */
export type PageResponse = { url: string; status: number; body: string }

export type ToThread = PageRequest | { type: 'loaded'; id: number; response: PageResponse | undefined }

export type FromThread =
  | ResponseRequest
  | { type: 'drawn'; id: number; preview: PagePreview }
  | { type: 'failed'; id: number; reason: string }

/** A drawn page. */
export type PagePreview = {
  /** What the page looks like before its scripts run. */
  html: string
  /** The state of its query cache as JSON. */
  state: string
  /** The responses that are not in this state, because they report an error. */
  failures: PageResponse[]
}
