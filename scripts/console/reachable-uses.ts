import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A top-level statement of a module: the names that it declares and the names and files that it refers to. */
type Statement = { declares: ReadonlySet<string>; text: string }
type Import = { file: string; name: string }
type Module = { statements: Statement[]; imports: Map<string, Import> }

const modules = new Map<string, Module>()

/**
 * Returns the operations that a page calls: those in its own file and in the functions, components and queries that it
 * uses, directly or indirectly.
 */
export function reachableUses(page: string, operations: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  const visited = new Set<Statement>()

  function visitExport(file: string, name: string): void {
    const { statements } = moduleOf(file)
    // Without a name, the whole module is used, for example by a worker.
    for (const statement of statements)
      if (name === '*' || statement.declares.has(name)) visit(file, statement)
  }

  function visit(file: string, statement: Statement): void {
    if (visited.has(statement)) return
    visited.add(statement)
    for (const [, id = ''] of statement.text.matchAll(/\.\s*(\w+)\b/g)) if (operations.has(id)) found.add(id)
    const { statements, imports } = moduleOf(file)
    const words = new Set(statement.text.match(/\b\w+\b/g))
    for (const [local, { file: target, name }] of imports) if (words.has(local)) visitExport(target, name)
    for (const other of statements)
      if ([...other.declares].some((name) => words.has(name))) visit(file, other)
    for (const [, path = ''] of statement.text.matchAll(/(?:import|new URL)\(\s*'(\.[^']+)'/g)) {
      const target = sourceFile(file, path)
      if (target !== undefined) visitExport(target, '*')
    }
  }

  visitExport(page, '*')
  return found
}

function moduleOf(file: string): Module {
  const known = modules.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const { program, module } = parseSync(file, text)
  const imports = new Map<string, Import>()
  for (const { moduleRequest, entries } of module.staticImports) {
    const target = sourceFile(file, moduleRequest.value)
    if (target === undefined) continue
    for (const { localName, importName, isType } of entries)
      if (!isType) imports.set(localName.value, { file: target, name: importName.name ?? '*' })
  }
  const statements = program.body
    .filter(({ type }) => type !== 'ImportDeclaration')
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    .map(({ text: own }) => ({ text: own, declares: declaredNames(own) }))
  const result = { statements, imports }
  modules.set(file, result)
  return result
}

/** Returns the names that a top-level statement declares. Type declarations call nothing, so they have none. */
function declaredNames(text: string): Set<string> {
  const declaration = /^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/.exec(text)
  if (declaration?.[1] !== undefined) return new Set([declaration[1]])
  const pattern = /^(?:export )?const [{[]([^}\]]*)[}\]]/.exec(text)
  return new Set(pattern?.[1]?.match(/\w+/g))
}

/** Returns the source file of a relative import, or undefined if it is a package or not TypeScript. */
function sourceFile(from: string, path: string): string | undefined {
  const target = join(dirname(from), path)
  return path.startsWith('.') && /\.tsx?$/.test(path) && existsSync(target) ? target : undefined
}
