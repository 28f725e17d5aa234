import { operationTypeName, readOperations } from './operations.ts'
import type { Document } from './operations.ts'
import { schemaType, typeName } from './schema-type.ts'
import type { Schema } from './schema-type.ts'

/** The unformatted source of `src/generated/api.ts`; the same document gives the same text. */
export function sdkSource(document: Document): string {
  const operations = readOperations(document)
  const schemas = Object.entries(document.components?.['schemas'] ?? {}) as [string, Schema][]
  const lines = [
    '// Written by packages/sdk/generate.ts from openapi.json: change the routes, not this file.',
    '',
  ]
  for (const [name, schema] of schemas)
    lines.push(`export type ${typeName(name)} = ${schemaType(schema)}`, '')
  for (const operation of operations) {
    lines.push(`export type ${operationTypeName(operation.id, 'Params')} = ${operation.params}`, '')
    lines.push(`export type ${operationTypeName(operation.id, 'Answer')} = ${operation.answer}`, '')
  }
  lines.push('/** Parameters and answer of every operation. */', 'export type Operations = {')
  for (const operation of operations) {
    if (operation.summary) lines.push(`/** ${operation.summary} */`)
    const params = operationTypeName(operation.id, 'Params')
    const answer = operationTypeName(operation.id, 'Answer')
    lines.push(`${operation.id}: { params: ${params}; answer: ${answer} }`)
  }
  lines.push(
    '}',
    '',
    '/** Method, path and query names of every operation. */',
    'export const operations = {',
  )
  for (const operation of operations) lines.push(`${operation.id}: ${operation.row},`)
  lines.push('} as const', '')
  return lines.join('\n')
}
