import type { IncomingMessage, ServerResponse } from 'node:http'

export type SpanAttributes = Readonly<Record<string, string | number>>

/** Records what the service does as spans. Spans that are started within a span become its children. */
export type Tracing = {
  /** Runs the work in a span, which records the error if the work throws. */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>
  /** Starts a span that ends when the returned function is called, with the error if there is one. */
  start(name: string, attributes: SpanAttributes): (error?: unknown) => void
  /** Calls `handle` in a span that ends with the response. Continues the trace of the `traceparent` header. */
  request(request: IncomingMessage, response: ServerResponse, handle: () => void): void
  /** Names the span of the current request after its route. */
  setRoute(method: string, route: string): void
}

/** Records nothing. */
export const noTracing: Tracing = {
  span: (_name, _attributes, work) => work(),
  start: () => () => {},
  request: (_request, _response, handle) => handle(),
  setRoute: () => {},
}
