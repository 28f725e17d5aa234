import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Schema = {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}
type Content = { content?: Record<string, { schema: Schema }> }
type Operation = { operationId: string; requestBody?: Content; responses: Record<string, Content> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as Document
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const { allOf = [], anyOf = [], properties = {} } = resolve(schema)
  const parts = [...allOf, ...anyOf].map(propertiesOf)
  return Object.fromEntries([...parts, properties].flatMap((part) => Object.entries(part)))
}

function requireOperation(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (found === undefined) throw new Error(`openapi.json has no operation ${id}`)
  return found
}

const fieldsIn = ({ content }: Content = {}): Record<string, Schema> =>
  propertiesOf(content?.['application/json']?.schema ?? {})

/** openapi.json, as far as the tests in this folder read it. */
export const openApi = {
  operations,
  /** Returns the names of the fields in the body of an operation. */
  bodyFields: (id: string): string[] => Object.keys(fieldsIn(requireOperation(id).requestBody)),
  /** Returns the names of the fields of the resource that an operation returns. */
  dataFields: (id: string): string[] =>
    Object.keys(propertiesOf(fieldsIn(requireOperation(id).responses['200'])['data'] ?? {})),
}
