/** What the reference shows of a JSON Schema. */
export type Schema = {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: string | number | boolean
  pattern?: string
  default?: string | number | boolean
  examples?: unknown[]
  additionalProperties?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}
