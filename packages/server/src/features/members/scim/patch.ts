import { matches, parseFilter, type Filter } from './filter.ts'
import { elements, isRecord, type Resource } from './resources.ts'
import { invalidValue, ScimError } from './scim-error.ts'

/** The attributes of a resource that can change, by their names in lower case. */
export type Shape = Readonly<
  Record<
    string,
    | { name: string; type: 'single' }
    | { name: string; type: 'complex'; parts: readonly string[] }
    | { name: string; type: 'multiple' }
  >
>

export const userShape: Shape = {
  username: { name: 'userName', type: 'single' },
  externalid: { name: 'externalId', type: 'single' },
  displayname: { name: 'displayName', type: 'single' },
  active: { name: 'active', type: 'single' },
  name: { name: 'name', type: 'complex', parts: ['formatted', 'givenName', 'familyName'] },
  emails: { name: 'emails', type: 'multiple' },
}

export const groupShape: Shape = {
  displayname: { name: 'displayName', type: 'single' },
  externalid: { name: 'externalId', type: 'single' },
  members: { name: 'members', type: 'multiple' },
}

const maxOperations = 1_000
const readOnly = new Set(['id', 'meta', 'schemas', 'groups'])

type Verb = 'add' | 'replace' | 'remove'
type Path = { attribute: string; filter: Filter | undefined; part: string | undefined }

/**
 * Returns the resource after the operations of a PATCH (RFC 7644, section 3.5.2). Attributes that are not kept are ignored,
 * because identity providers send many of them.
 */
export function applyPatch(resource: Resource, body: Resource, shape: Shape): Resource {
  const operations = Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError(400, '`Operations` must be a list of operations.', 'invalidSyntax')
  if (operations.length > maxOperations)
    throw new ScimError(400, `A request can have at most ${maxOperations} operations.`, 'tooMany')
  const result = structuredClone(resource)
  for (const operation of operations as readonly unknown[]) {
    if (!isRecord(operation)) throw new ScimError(400, 'Each operation must be an object.', 'invalidSyntax')
    applyOperation(result, operation, shape)
  }
  return result
}

function applyOperation(result: Resource, operation: Resource, shape: Shape): void {
  const { op, path, value } = operation
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (!isVerb(verb)) throw new ScimError(400, '`op` must be add, remove or replace.', 'invalidSyntax')
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw new ScimError(400, '`path` must be a string.', 'invalidPath')
    return applyAt(result, { verb, path: parsePath(path), value }, shape)
  }
  if (verb === 'remove') throw new ScimError(400, '`remove` requires a path.', 'noTarget')
  if (!isRecord(value)) throw invalidValue('Without a path, `value` must be an object of attributes.')
  // Microsoft Entra ID sends paths as keys, such as `name.givenName`.
  for (const [key, each] of Object.entries(value))
    applyAt(result, { verb, path: parsePath(key), value: each }, shape, true)
}

const isVerb = (verb: string): verb is Verb => ['add', 'replace', 'remove'].includes(verb)

/** Parses `attribute`, `attribute.part`, `attribute[filter]` or `attribute[filter].part`, each with or without its schema. */
function parsePath(text: string): Path {
  const path = text.trim().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
  // Attributes of extensions are not kept.
  if (/^urn:/i.test(path)) return { attribute: path.toLowerCase(), filter: undefined, part: undefined }
  const [, attribute, filter, part] =
    /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s.exec(path) ?? []
  if (attribute === undefined) throw invalidPath(text)
  return {
    attribute: attribute.toLowerCase(),
    filter: filter === undefined ? undefined : parsePathFilter(filter, text),
    part: part?.toLowerCase(),
  }
}

function parsePathFilter(filter: string, path: string): Filter {
  try {
    return parseFilter(filter)
  } catch {
    throw invalidPath(path)
  }
}

const invalidPath = (path: string): ScimError =>
  new ScimError(400, `"${path.slice(0, 200)}" is not a valid path.`, 'invalidPath')

type Change = { verb: Verb; path: Path; value: unknown }

function applyAt(result: Resource, change: Change, shape: Shape, ignoresReadOnly = false): void {
  const { attribute } = change.path
  if (readOnly.has(attribute) && !ignoresReadOnly)
    throw new ScimError(400, `\`${attribute}\` cannot be changed.`, 'mutability')
  const known = Object.hasOwn(shape, attribute) ? shape[attribute] : undefined
  if (known === undefined) return
  if (known.type === 'multiple') return changeElements(result, known.name, change)
  if (change.path.filter !== undefined) throw invalidPath(attribute)
  if (known.type === 'complex') return changeParts(result, known, change)
  if (change.path.part !== undefined) throw invalidPath(`${attribute}.${change.path.part}`)
  if (change.verb === 'remove') delete result[known.name]
  else result[known.name] = change.value
}

function changeParts(
  result: Resource,
  { name, parts }: { name: string; parts: readonly string[] },
  { verb, path: { part }, value }: Change,
): void {
  const current = isRecord(result[name]) ? result[name] : {}
  const removed = verb === 'remove' ? null : value
  const whole = verb === 'remove' ? Object.fromEntries(parts.map((each) => [each, null])) : value
  const given = part === undefined ? whole : { [part]: removed }
  if (!isRecord(given)) throw invalidValue(`\`${name}\` must be an object.`)
  const changes: Resource = {}
  for (const [key, each] of Object.entries(given)) {
    const known = parts.find((one) => one.toLowerCase() === key.toLowerCase())
    if (known !== undefined) changes[known] = each
  }
  if (Object.keys(changes).length === 0) return
  // The displayed name follows its parts, unless it was chosen independently of them.
  const isDerived = 'formatted' in changes || current['formatted'] === fullName(current)
  if (isDerived && result['displayName'] === current['formatted']) delete result['displayName']
  result[name] = { ...current, ...(isDerived ? { formatted: null } : {}), ...changes }
}

const fullName = ({ givenName, familyName }: Resource): string =>
  [givenName, familyName].filter(Boolean).join(' ')

function changeElements(result: Resource, name: string, { verb, path, value }: Change): void {
  const current = elements(result[name], name)
  const { filter, part } = path
  if (filter === undefined && part !== undefined && part !== 'value') throw invalidPath(`${name}.${part}`)
  if (filter !== undefined || part !== undefined)
    result[name] = changeMatching(current, { verb, filter, part, value, name })
  else if (verb === 'remove')
    result[name] = value === undefined || value === null ? [] : without(current, elements(value, name))
  else if (verb === 'replace') result[name] = elements(value, name)
  else result[name] = added(current, elements(value, name))
}

const keyOf = ({ value }: Resource): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

const without = (current: readonly Resource[], removed: readonly Resource[]): Resource[] => {
  const keys = new Set(removed.map(keyOf))
  return current.filter((element) => !keys.has(keyOf(element)))
}

/** Adds the elements. A new primary element replaces the previous one. */
function added(current: readonly Resource[], given: readonly Resource[]): Resource[] {
  const hasPrimary = given.some(({ primary }) => String(primary).toLowerCase() === 'true')
  const kept = without(current, given)
  return [...(hasPrimary ? kept.map((element) => ({ ...element, primary: false })) : kept), ...given]
}

type Matching = {
  verb: Verb
  filter: Filter | undefined
  part: string | undefined
  value: unknown
  name: string
}

function changeMatching(
  current: readonly Resource[],
  { verb, filter, part, value, name }: Matching,
): Resource[] {
  const isMatch = (element: Resource) => filter === undefined || matches(filter, element)
  const found = current.filter(isMatch)
  if (verb === 'remove') {
    if (part === undefined) return current.filter((element) => !isMatch(element))
    return current.flatMap((element) => (isMatch(element) && part === 'value' ? [] : [element]))
  }
  const change = part === undefined ? (elements(value, name)[0] ?? {}) : { [part]: value }
  if (found.length > 0)
    return current.map((element) => (isMatch(element) ? { ...element, ...change } : element))
  // RFC 7644 demands an error for replace, but Microsoft Entra ID replaces what it has not added.
  return [...current, { ...equalities(filter), ...change }]
}

/** Returns the attributes that an element must have to match, such as `type` of `emails[type eq "work"]`. */
function equalities(filter: Filter | undefined): Resource {
  if (filter?.kind === 'and') return { ...equalities(filter.left), ...equalities(filter.right) }
  return filter?.kind === 'compare' && filter.operator === 'eq' ? { [filter.path]: filter.value } : {}
}
