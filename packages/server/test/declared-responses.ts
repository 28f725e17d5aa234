import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { apiBase, type OnResponse } from '../src/http/server.ts'

type Received = Parameters<OnResponse>[0]
type Json = { [name: string]: Json }
type Header = { required?: boolean; schema: Json }
type Response = {
  description: string
  content?: Record<string, { schema?: Json }>
  headers?: Record<string, Header>
}
type Operation = { operationId: string; responses: Record<string, Response> }

const documentId = 'openapi.json'
const committed = new URL('../../../openapi.json', import.meta.url)

/** Transport headers, which operations do not declare. */
const transport = [
  'content-type',
  'content-length',
  'content-encoding',
  'vary',
  'cache-control',
  'date',
  'connection',
  'keep-alive',
]
const forBrowsers = ['referrer-policy', 'content-security-policy', 'cross-origin-resource-policy']
const commonHeaders = new Set([...transport, ...forBrowsers, 'x-content-type-options'])

/** Returns a function that lists how a response violates the committed openapi.json. */
export function createResponseChecker(document = JSON.parse(readFileSync(committed, 'utf8')) as Json) {
  // openapi-document.test.ts validates the schemas.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    meta: false,
    validateSchema: false,
    // Most schemas validate only a few responses, so optimizing the generated code would take more time than it saves.
    code: { optimize: false },
  })
  const schemas = forbidUndeclared(document['components']?.['schemas'])
  ajv.addSchema({ components: { schemas } }, documentId)
  const validatorOf = remember((pointer): ValidateFunction =>
    ajv.compile(forbidUndeclared(at(pointer)) as object),
  )
  const at = remember((pointer): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (value, part) => (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      ),
  )

  /** Follows references, because responses and headers are often references to components. */
  const follow = remember((pointer): { pointer: string; value: unknown } => {
    const value = at(pointer)
    const reference = (value as { $ref?: string } | undefined)?.$ref
    return reference === undefined ? { pointer, value } : follow(reference.slice(1))
  })

  const anyErrorPointer = '/components/responses/Error404'

  function* faultsOf(received: Received): Generator<string> {
    const { method, route, status, headers, text } = received
    const path = route?.startsWith(apiBase) === true ? route.slice(apiBase.length) : ''
    const declared = path.replaceAll(/:(\w+)/g, '{$1}')
    const pointer = `/paths/${escaped(declared)}/${(method === 'HEAD' ? 'get' : method).toLowerCase()}`
    const operation = at(pointer) as Operation | undefined
    const known = follow(`${pointer}/responses/${status}`)
    const response = known.value as Response | undefined
    if (operation === undefined) yield* faultsElsewhere(received, declared)
    else if (response === undefined)
      yield `${status} is not declared for ${operation.operationId}: ${text.slice(0, 300)}`
    else {
      yield* headerFaults(known.pointer, response, headers)
      if (method === 'HEAD') return
      yield* contentFaults(known.pointer, response, headers, text)
      const own = at(`${pointer}/responses/${status}`) as Partial<Response>
      if (status >= 400) yield* codeFaults(own.description ?? response.description, text)
    }
  }

  /** Yields a fault if the description of an error response does not list the code of the error. */
  function* codeFaults(description: string, text: string): Generator<string> {
    const code = (parseJson(text) as { code?: unknown } | undefined)?.code
    if (typeof code === 'string' && !description.includes(`\`${code}\``))
      yield `the code ${code} is not declared`
  }

  /** Yields the faults of responses that do not belong to an operation: pages, unknown paths and unsupported methods. */
  function* faultsElsewhere(
    { method, status, headers, text }: Received,
    declared: string,
  ): Generator<string> {
    const isPage = ['', '/openapi.json', '/docs'].includes(declared)
    const isWrongMethod =
      at(`/paths/${escaped(declared)}`) !== undefined && [401, 405, 429, 503].includes(status)
    if (!isPage && !isWrongMethod) yield `${method} ${declared} is not declared`
    else if (status >= 500 && status !== 503) yield `${status} is not declared for any operation`
    else if (status >= 400 && method !== 'HEAD')
      yield* contentFaults(anyErrorPointer, at(anyErrorPointer) as Response, headers, text)
  }

  function* headerFaults(
    pointer: string,
    response: Response,
    received: Received['headers'],
  ): Generator<string> {
    const declared = Object.keys(response.headers ?? {})
    for (const name of Object.keys(received)) {
      const isKnown = commonHeaders.has(name) || declared.some((one) => one.toLowerCase() === name)
      if (!isKnown) yield `the header ${name} is not declared`
    }
    for (const name of declared) {
      const header = follow(`${pointer}/headers/${escaped(name)}`)
      const { required, schema } = header.value as Header
      const value = received[name.toLowerCase()]
      if (value === undefined && required === true) yield `the header ${name} is missing`
      if (value === undefined) continue
      const data: unknown = schema['type'] === ('integer' as unknown) ? Number(value) : value
      const validate = validatorOf(`${header.pointer}/schema`)
      if (!validate(data))
        yield `the header ${name} is ${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`
    }
  }

  function* contentFaults(
    pointer: string,
    { content }: Response,
    { 'content-type': type }: Received['headers'],
    text: string,
  ): Generator<string> {
    if (content === undefined) {
      if (text !== '' || type !== undefined) yield `the body must be empty: ${text.slice(0, 300)}`
      return
    }
    const [media = ''] = (typeof type === 'string' ? type : 'none').split(';', 1)
    const declared = content[media]
    if (declared === undefined) yield `the content type ${media} is not declared`
    // Events are not validated, because they arrive after the headers.
    if (declared?.schema === undefined || media === 'text/event-stream' || media === 'text/csv') return
    const validate = validatorOf(`${pointer}/content/${escaped(media)}/schema`)
    if (!validate(parseJson(text)))
      yield `${ajv.errorsText(validate.errors, { dataVar: 'body' })} in ${text.slice(0, 1000)}`
  }

  return (received: Received): string[] =>
    [...faultsOf(received)].map(
      (fault) =>
        `${received.method} ${received.route ?? '?'} ${received.status} violates openapi.json: ${fault}`,
    )
}

/** Returns a function that calls `compute` only once for each text. */
function remember<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    results.set(text, result)
    return result
  }
}

/** Parses JSON. Returns undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Forbids additional properties in every object schema, so that undeclared fields are reported. References become
 * absolute, so that each schema can be compiled by itself.
 */
function forbidUndeclared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidUndeclared)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' ? `${documentId}${String(item)}` : forbidUndeclared(item),
    ]),
  )
  const hasProperties =
    copy['type'] === 'object' &&
    Object.keys(copy['properties'] ?? {}).length > 0 &&
    !('additionalProperties' in copy) &&
    !('patternProperties' in copy)
  return hasProperties ? { ...copy, additionalProperties: false } : copy
}
