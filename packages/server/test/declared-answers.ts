import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { apiBase, type OnAnswer } from '../src/http/server.ts'

type Given = Parameters<OnAnswer>[0]
type Json = { [name: string]: Json }
type Header = { required?: boolean; schema: Json }
type Response = { content?: Record<string, { schema?: Json }>; headers?: Record<string, Header> }
type Operation = { operationId: string; responses: Record<string, Response> }

const documentId = 'openapi.json'
const committed = new URL('../../../openapi.json', import.meta.url)

/** Headers for the machinery on the way, which no operation declares. */
const transport = ['content-type', 'content-length', 'cache-control', 'date', 'connection', 'keep-alive']
const forBrowsers = ['referrer-policy', 'content-security-policy', 'cross-origin-resource-policy']
const everywhere = new Set([...transport, ...forBrowsers, 'x-content-type-options'])

/** Holds answers against openapi.json as it stands in the repository: what of one was never declared. */
export function createDeclaredAnswers(document = JSON.parse(readFileSync(committed, 'utf8')) as Json) {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  ajv.addSchema(closed(document) as object, documentId)
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${documentId}#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (value, part) => (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
        document,
      )

  /** Where a thing really stands: answers and headers are often references to the components. */
  function follow(pointer: string): { pointer: string; value: unknown } {
    const value = at(pointer)
    const reference = (value as { $ref?: string } | undefined)?.$ref
    return reference === undefined ? { pointer, value } : follow(reference.slice(1))
  }

  const anyErrorPointer = '/components/responses/Error404'

  function* faultsOf(given: Given): Generator<string> {
    const { method, route, status, headers, text } = given
    const path = route?.startsWith(apiBase) === true ? route.slice(apiBase.length) : ''
    const declared = path.replaceAll(/:(\w+)/g, '{$1}')
    const pointer = `/paths/${escaped(declared)}/${(method === 'HEAD' ? 'get' : method).toLowerCase()}`
    const operation = at(pointer) as Operation | undefined
    const known = follow(`${pointer}/responses/${status}`)
    const answer = known.value as Response | undefined
    if (operation === undefined) yield* faultsElsewhere(given, declared)
    else if (answer === undefined)
      yield `does not declare ${status} for ${operation.operationId}: ${text.slice(0, 300)}`
    else {
      yield* headerFaults(known.pointer, answer, headers)
      if (method !== 'HEAD') yield* contentFaults(known.pointer, answer, headers, text)
    }
  }

  /** Pages, paths that are not there, methods that a path does not take. */
  function* faultsElsewhere({ method, status, headers, text }: Given, declared: string): Generator<string> {
    const isPage = ['', '/openapi.json', '/docs'].includes(declared)
    const isWrongMethod =
      at(`/paths/${escaped(declared)}`) !== undefined && [401, 405, 429, 503].includes(status)
    if (!isPage && !isWrongMethod) yield `says nothing of ${method} ${declared}`
    else if (status >= 500 && status !== 503) yield `does not declare ${status} for anything`
    else if (status >= 400 && method !== 'HEAD')
      yield* contentFaults(anyErrorPointer, at(anyErrorPointer) as Response, headers, text)
  }

  function* headerFaults(pointer: string, answer: Response, given: Given['headers']): Generator<string> {
    const declared = Object.keys(answer.headers ?? {})
    for (const name of Object.keys(given)) {
      const isKnown = everywhere.has(name) || declared.some((one) => one.toLowerCase() === name)
      if (!isKnown) yield `does not declare the header ${name}`
    }
    for (const name of declared) {
      const header = follow(`${pointer}/headers/${escaped(name)}`)
      const { required, schema } = header.value as Header
      const value = given[name.toLowerCase()]
      if (value === undefined && required === true) yield `the header ${name} is missing`
      if (value === undefined) continue
      const read: unknown = schema['type'] === ('integer' as unknown) ? Number(value) : value
      const validate = validatorOf(`${header.pointer}/schema`)
      if (!validate(read))
        yield `the header ${name} is ${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`
    }
  }

  function* contentFaults(
    pointer: string,
    { content }: Response,
    { 'content-type': type }: Given['headers'],
    text: string,
  ): Generator<string> {
    if (content === undefined) {
      if (text !== '' || type !== undefined) yield `a body where none is declared: ${text.slice(0, 300)}`
      return
    }
    const [media = ''] = (typeof type === 'string' ? type : 'none').split(';', 1)
    const declared = content[media]
    if (declared === undefined) yield `does not declare the content type ${media}`
    if (declared?.schema === undefined) return
    const validate = validatorOf(`${pointer}/content/${escaped(media)}/schema`)
    if (!validate(parsed(text)))
      yield `${ajv.errorsText(validate.errors, { dataVar: 'answer' })} in ${text.slice(0, 1000)}`
  }

  return (given: Given): string[] =>
    [...faultsOf(given)].map(
      (fault) => `${given.method} ${given.route ?? '?'} answers ${given.status}, openapi.json: ${fault}`,
    )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The document with every listing of fields taken for complete: what is not declared may not be there either. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item)]))
  const isListing =
    copy['type'] === 'object' &&
    Object.keys(copy['properties'] ?? {}).length > 0 &&
    !('additionalProperties' in copy) &&
    !('patternProperties' in copy)
  return isListing ? { ...copy, additionalProperties: false } : copy
}
