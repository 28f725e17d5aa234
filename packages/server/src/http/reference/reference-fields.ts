import { escapeHtml } from '../../lib/html.ts'
import type { Schema } from './reference-example.ts'

/** Escapes text for HTML and renders backticks as code. */
export const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

/** Renders the fields of an object. Each field has an anchor that starts with `id`; without it, none has. */
export function renderFields({ properties, required = [] }: Schema, id?: string): string {
  if (properties === undefined) return ''
  return fieldList(
    Object.entries(properties).map(([name, schema]) =>
      renderField({ name, schema, isRequired: required.includes(name), id: id && `${id}.${name}` }),
    ),
  )
}

export const fieldList = (fields: string[]): string => `<ul class="fields">${fields.join('')}</ul>`

type Field = {
  name: string
  schema: Schema
  isRequired: boolean
  id: string | undefined
  /** Where a parameter is sent, such as `query`. */
  location?: string
}

export function renderField({ name, schema, isRequired, id, location }: Field): string {
  const { items, ...own } = withoutNull(schema)
  const each = items === undefined ? '' : describe(withoutNull(items))
  const text = describe(own) + (each === '' ? '' : ` each: ${each}`)
  const nested = renderFields(withoutNull(items ?? own), id)
  const code = `<code>${escapeHtml(name)}</code>`
  const label = id === undefined ? code : `<a href="#${id}">${code}</a>`
  return `<li${id === undefined ? '' : ` id="${id}"`}>${label} <i>${renderType(schema)}${location === undefined ? '' : ` in ${location}`}</i>${isRequired ? ' <em>required</em>' : ''}${text === '' ? '' : `<p>${text}</p>`}${nested}</li>`
}

const describe = (schema: Schema): string => prose(schema.description ?? '') + limits(schema)

/** Returns the non-null alternative of a nullable schema. */
function withoutNull(schema: Schema): Schema {
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return more.length > 0 ? schema : { ...only, ...schema }
}

export function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(renderType).join(' or ')
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`
  if (schema.type === 'array') return `list of ${renderType(schema.items ?? {})}`
  if (schema.additionalProperties !== undefined) return `map to ${renderType(schema.additionalProperties)}`
  return escapeHtml(schema.type ?? 'any')
}

function limits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: byDefault } = schema
  const parts = [
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `to ${maximum}`,
    minLength === undefined || minLength < 2 ? '' : `at least ${minLength} characters`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    minItems === undefined ? '' : `at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`,
    maxItems === undefined ? '' : `at most ${maxItems} entries`,
    byDefault === undefined ? '' : `default ${String(byDefault)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` <small>${escapeHtml(parts.join(', '))}</small>`
}
