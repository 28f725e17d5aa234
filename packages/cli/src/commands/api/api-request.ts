import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { CommandContext } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { requireApplicationId } from '../../require-application-id.ts'

export type RequestOptions = { field?: string[]; rawField?: string[]; input?: string; header?: string[] }

export type ApiRequest = { method: string; url: URL; headers: Headers; body: Uint8Array | string | null }

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Creates the request that the arguments and options of `quayside api` describe. */
export async function createApiRequest(
  context: CommandContext,
  methodArgument: string,
  path: string,
  options: RequestOptions,
): Promise<ApiRequest> {
  const method = methodArgument.toUpperCase()
  if (!methods.includes(method))
    throw new Failure(
      'usage',
      `"${methodArgument}" is not a supported method. Use one of ${methods.join(', ')}.`,
    )
  const url = await createUrl(context, path)
  const fields = [
    ...(options.field ?? []).map((text) => parseField(text, convert)),
    ...(options.rawField ?? []).map((text) => parseField(text, String)),
  ]
  const headers = createHeaders(context, options.header ?? [])
  const isQuery = options.input !== undefined || ['GET', 'HEAD', 'DELETE'].includes(method)
  if (isQuery) for (const [name, value] of fields) url.searchParams.append(name, String(value))
  let body: Uint8Array | string | null = null
  if (options.input !== undefined) body = await readInput(context, options.input)
  else if (!isQuery && fields.length > 0) body = JSON.stringify(toObject(fields))
  if (body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { method, url, headers, body }
}

async function createUrl(context: CommandContext, path: string): Promise<URL> {
  const { server } = context.settings
  const relative = path.startsWith(`${server}/`) ? path.slice(server.length) : path
  // The API key must not be sent to another server.
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(relative))
    throw new Failure('usage', `"${path}" is not a path on ${server}. Use a path such as /applications.`)
  let below = relative.replace(/^\/+/, '').replace(/^api\/v1(?=\/|$)\/*/, '')
  if (/\{application(_id)?\}/.test(below))
    below = below.replaceAll(/\{application(_id)?\}/g, await requireApplicationId(context))
  return new URL(`${server}/api/v1/${below}`)
}

function createHeaders({ settings, connection }: CommandContext, lines: string[]): Headers {
  const headers = new Headers({ accept: 'application/json', 'user-agent': connection.userAgent })
  if (settings.key !== undefined) headers.set('authorization', `Bearer ${settings.key}`)
  for (const line of lines) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined)
      throw new Failure('usage', `"${line}" is not a header. Use --header "Name: value".`)
    headers.set(name, value)
  }
  return headers
}

type Field = [name: string, value: unknown]

function parseField(text: string, parse: (value: string) => unknown): Field {
  const index = text.indexOf('=')
  if (index < 1) throw new Failure('usage', `"${text}" is not a field. Use --field name=value.`)
  return [text.slice(0, index), parse(text.slice(index + 1))]
}

const convert = (value: string): unknown =>
  /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?)$/.test(value) ? (JSON.parse(value) as unknown) : value

/** Returns the fields as an object. A name that ends with `[]` adds to a list. */
function toObject(fields: Field[]): Record<string, unknown> {
  const object = new Map<string, unknown>()
  for (const [name, value] of fields) {
    if (!name.endsWith('[]')) object.set(name, value)
    else {
      const list = object.get(name.slice(0, -2))
      object.set(name.slice(0, -2), [...(Array.isArray(list) ? (list as unknown[]) : []), value])
    }
  }
  return Object.fromEntries(object)
}

async function readInput({ runtime }: CommandContext, path: string): Promise<Uint8Array> {
  if (path === '-') return buffer(runtime.stdin)
  try {
    return await readFile(resolve(runtime.cwd, path))
  } catch (error) {
    throw new Failure(
      'failed',
      `Cannot read ${path} (${(error as NodeJS.ErrnoException).code}). Check the path and its permissions.`,
    )
  }
}
