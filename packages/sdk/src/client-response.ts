/** The part of a `Response` that the client reads. */
export type ClientResponse = Pick<Response, 'ok' | 'status' | 'body' | 'text' | 'json' | 'arrayBuffer'> & {
  headers: Pick<Headers, 'get'>
}

/** The part of `fetch` that the client calls. */
export type ClientFetch = (url: string, init?: RequestInit) => Promise<ClientResponse>
