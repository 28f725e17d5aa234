import { parseSync, Visitor, type Expression, type ObjectExpression, type PropertyKey } from 'oxc-parser'
import type { Finding } from './check-layers.ts'
import { isTest } from './import-rules.ts'
import type { Source, SourceFile } from './source.ts'

const server = 'packages/server/src/'
const cataloguePath = `${server}events/catalogue.ts`

/** A file that emits an event whose name it receives in the property `key`. */
type Forwarder = { path: string; key: string }

/**
 * Returns a finding for each event in the catalogue that no code emits. An event is emitted by an object with `name` and
 * `data`. If its name is a variable, the objects that set the variable's name in the same file and in the files that
 * import it count instead.
 */
export function eventFindings(files: readonly SourceFile[], sources: readonly Source[]): Finding[] {
  const catalogue = files.find(({ path }) => path === cataloguePath)
  if (catalogue === undefined) return []
  const emitters = files.filter(
    ({ path, text }) =>
      path.startsWith(`${server}features/`) && !isTest(path) && /\bname\b|\bevent\b/.test(text),
  )
  const objects = emitters.map((file) => ({ file, found: objectsOf(file) }))
  const emitted = new Set<string>()
  const forwarders: Forwarder[] = []
  for (const { file, found } of objects) {
    for (const properties of found) {
      if (!properties.has('data')) continue
      for (const text of properties.get('name')?.texts ?? []) emitted.add(text)
      const variable = properties.get('name')?.variable
      if (variable !== undefined) forwarders.push({ path: file.path, key: variable })
    }
  }
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
  for (const { file, found } of objects)
    for (const key of forwardedKeys(file.path, targets.get(file.path) ?? [], forwarders))
      for (const properties of found) for (const text of properties.get(key)?.texts ?? []) emitted.add(text)
  return catalogueEvents(catalogue)
    .filter(({ name }) => !emitted.has(name))
    .map(({ name, line }) => ({
      path: cataloguePath,
      line,
      message: `the event ${name} is never emitted: emit it or remove it from the catalogue`,
    }))
}

const forwardedKeys = (
  own: string,
  targets: readonly (string | undefined)[],
  forwarders: readonly Forwarder[],
): string[] => forwarders.filter(({ path }) => path === own || targets.includes(path)).map(({ key }) => key)

type Value = { texts: string[]; variable: string | undefined }

/** Returns the properties of every object in a file whose values are texts, choices between texts, or variables. */
function objectsOf({ path, text }: SourceFile): Map<string, Value>[] {
  const found: Map<string, Value>[] = []
  new Visitor({
    ObjectExpression(node) {
      found.push(new Map(propertiesOf(node)))
    },
  }).visit(parseSync(path, text).program)
  return found
}

function* propertiesOf(node: ObjectExpression): Generator<[string, Value]> {
  for (const property of node.properties) {
    if (property.type !== 'Property') continue
    const name = keyOf(property.key)
    const variable = property.value.type === 'Identifier' ? property.value.name : undefined
    if (name !== undefined) yield [name, { texts: textsOf(property.value), variable }]
  }
}

function keyOf(key: PropertyKey): string | undefined {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined
}

function textsOf(node: Expression): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)]
  return isWrapper(node) ? textsOf(node.expression) : []
}

const isWrapper = (node: Expression) =>
  node.type === 'TSAsExpression' ||
  node.type === 'TSSatisfiesExpression' ||
  node.type === 'ParenthesizedExpression'

function catalogueEvents({ path, text }: SourceFile): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = []
  new Visitor({
    VariableDeclarator(node) {
      if (node.id.type !== 'Identifier' || node.id.name !== 'eventCatalogue') return
      let value = node.init
      while (value !== null && isWrapper(value)) value = value.expression
      if (value?.type !== 'ObjectExpression') return
      for (const property of value.properties) {
        const name = property.type === 'Property' ? keyOf(property.key) : undefined
        if (name !== undefined) found.push({ name, line: text.slice(0, property.start).split('\n').length })
      }
    },
  }).visit(parseSync(path, text).program)
  return found
}
