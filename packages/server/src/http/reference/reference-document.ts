import type { Schema } from './reference-example.ts'

/** The parts of an OpenAPI operation that the reference shows. */
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-scope': 'public' | 'session' | { workspace: string | null; application: string | null | false }
  'x-rate-limit': 'address' | 'requests' | 'uploads' | 'downloads'
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, { schema?: Schema }> }
  >
}

/** The parts of a webhook in an OpenAPI document that the reference shows. */
export type WebhookOperation = {
  operationId: string
  summary: string
  description: string
  parameters: { name: string; required: boolean; description: string }[]
  requestBody: { content: Record<string, { schema: Schema }> }
}

/** The parts of an OpenAPI document that the reference shows. */
export type ReferenceDocument = {
  info: { title: string; version: string; summary: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: WebhookOperation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, { description: string }> }
}

/** Returns the schema to which a reference points, or the schema itself if it is not a reference. */
export function resolve(schema: Schema, { components }: ReferenceDocument): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}
