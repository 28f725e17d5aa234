import { QuaysideError, QuaysideUnreachableError } from '@quayside/sdk'
import type { ClientResponse } from '@quayside/sdk'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireFields, selectFields } from '../../output/json-fields.ts'
import { createApiRequest } from './api-request.ts'
import type { ApiRequest, RequestOptions } from './api-request.ts'

export type ApiOptions = RequestOptions & { paginate?: boolean }

/** Sends a request to the API and prints the response. Throws if the response is an error. */
export async function runApi(
  context: CommandContext,
  method: string,
  path: string,
  options: ApiOptions,
): Promise<void> {
  const request = await createApiRequest(context, method, path, options)
  if (options.paginate === true) {
    if (request.method !== 'GET') throw new Failure('usage', '--paginate requires GET.')
    printJson(context, await fetchAllItems(context, request), context.settings.jsonFields)
    return
  }
  const response = await send(context, request)
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null) {
    await response.body?.cancel()
    context.runtime.stdout.write(`${location}\n`)
    return
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  const body = parseJson(response, bytes)
  if (body === undefined) context.runtime.stdout.write(bytes)
  else printJson(context, body, response.ok ? context.settings.jsonFields : [])
  if (!response.ok) throw toError(request, response, body)
}

type Page = {
  data?: unknown
  pagination?: { current_page: number; last_page: number }
  cursor?: string
  has_more?: boolean
}

async function fetchAllItems(context: CommandContext, request: ApiRequest): Promise<unknown[]> {
  const items: unknown[] = []
  const url = new URL(request.url)
  for (;;) {
    const response = await send(context, { ...request, url })
    const body = parseJson(response, new Uint8Array(await response.arrayBuffer()))
    if (!response.ok) throw toError(request, response, body)
    const { data, pagination, cursor, has_more } = (body ?? {}) as Page
    if (!Array.isArray(data)) throw new Failure('usage', '--paginate requires a path that returns a list.')
    items.push(...(data as unknown[]))
    if (cursor !== undefined && has_more === true) url.searchParams.set('cursor', cursor)
    else if (pagination && pagination.current_page < pagination.last_page)
      url.searchParams.set('page', String(pagination.current_page + 1))
    else return items
  }
}

async function send(context: CommandContext, { url, ...request }: ApiRequest): Promise<ClientResponse> {
  const { connection, signal } = context
  let response: ClientResponse
  try {
    response = await connection.fetch(url.href, { ...request, redirect: 'manual', signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof QuaysideUnreachableError) throw error
    throw new QuaysideUnreachableError(connection.baseUrl, error)
  }
  connection.onResponse(response)
  return response
}

function parseJson(response: ClientResponse, bytes: Uint8Array): unknown {
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown
  } catch {
    return undefined
  }
}

/** Prints a response body, or the selected fields of its `data`. If there is no such field, prints the body and throws. */
function printJson({ runtime }: CommandContext, body: unknown, fields: string[]): void {
  const write = (value: unknown) => runtime.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  if (fields.length === 0) return void write(body)
  const data = (body as { data?: unknown }).data ?? body
  try {
    requireFields(data, fields)
  } catch (error) {
    // The request may have created something that is shown only once, such as an API key.
    write(body)
    throw error
  }
  write(selectFields(data, fields))
}

function toError({ url }: ApiRequest, { status, headers }: ClientResponse, body: unknown): QuaysideError {
  const { message, code, errors } = (body ?? {}) as {
    message?: string
    code?: string
    errors?: Record<string, string[]>
  }
  // The server sends the same code for a path without an endpoint, which is the more likely mistake here.
  const text = code === 'resource.not_found' ? `Not found: ${url.pathname}.` : message
  return new QuaysideError(status, text ?? `HTTP ${status}`, {
    requestId: headers.get('x-request-id') ?? '',
    ...(code === undefined ? {} : { code }),
    ...(errors === undefined ? {} : { errors }),
  })
}
