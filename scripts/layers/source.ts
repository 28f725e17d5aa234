import { posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

export type SourceFile = {
  path: string /* Relative to the repository root, with forward slashes. */
  text: string
}

export type Import = {
  /** Path from the repository root for a relative import, the bare specifier otherwise, or undefined if computed. */
  target: string | undefined
  /** Names of the imported values (`*` for a namespace, `default` for a default import), or undefined if unknown. */
  names: string[] | undefined
  kind: 'import' | 'type' | 'dynamic' | 're-export' | 'url'
  line: number
}

export type Call = { method: string; firstArgument: string | string[] | undefined; line: number }
export type Literal = { text: string; line: number; kind: 'string' | 'error' | 'jsx' }

/** A range of offsets. */
type Range = { start: number; end: number }

/** The creation of an object of a class. */
export type Creation = { className: string; line: number }

/** The parts of a file that the rules check. */
export type Source = {
  path: string
  imports: Import[]
  calls: Call[]
  creations: Creation[]
  literals: Literal[]
}

type Node = { type: string; value?: unknown; elements?: unknown[]; quasis?: { value: { raw: string } }[] }

/** Returns the imports, method calls, string literals and JSX texts of a file, or an error if it cannot be parsed. */
export function readSource({ path, text }: SourceFile): Source | SyntaxError {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) return new SyntaxError(error.message)

  const starts = lineStarts(text)
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const resolve = (specifier: string) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier

  const imports: Import[] = []
  for (const found of parsed.module.staticImports) {
    const values = found.entries.filter((entry) => !entry.isType)
    imports.push({
      target: resolve(found.moduleRequest.value),
      names: values.map(({ importName: { kind, name } }) => name ?? unnamed(kind)),
      kind: found.entries.length > 0 && values.length === 0 ? 'type' : 'import',
      line: lineAt(found.start),
    })
  }
  for (const found of parsed.module.staticExports) {
    const from = found.entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest
    if (from === undefined || from === null) continue
    imports.push({
      target: resolve(from.value),
      names: undefined,
      kind: 're-export',
      line: lineAt(found.start),
    })
  }

  const calls: Call[] = []
  const creations: Creation[] = []
  const literals: Literal[] = []
  const errors: Range[] = []
  const addLiteral = (value: string, { start }: Range, kind: Literal['kind'] = 'string') => {
    const isError = errors.some((range) => range.start <= start && start < range.end)
    literals.push({ text: value, line: lineAt(start), kind: isError ? 'error' : kind })
  }
  new Visitor({
    ImportExpression(node) {
      const name = textOf(node.source)
      const target = typeof name === 'string' ? resolve(name) : undefined
      imports.push({ target, names: undefined, kind: 'dynamic', line: lineAt(node.start) })
    },
    TSImportType(node) {
      imports.push({ target: resolve(node.source.value), names: [], kind: 'type', line: lineAt(node.start) })
    },
    NewExpression(node) {
      if (node.callee.type !== 'Identifier') return
      creations.push({ className: node.callee.name, line: lineAt(node.start) })
      if (/(?:Error|Exception)$/.test(node.callee.name)) errors.push(node)
      if (node.callee.name !== 'URL') return
      const name = textOf(node.arguments[0])
      if (typeof name !== 'string' || !/^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(name)) return
      imports.push({ target: resolve(name), names: undefined, kind: 'url', line: lineAt(node.start) })
    },
    CallExpression(node) {
      if (node.callee.type === 'Super') errors.push(node)
      if (node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return
      const method = node.callee.property.name
      calls.push({
        method,
        firstArgument: textOf(node.arguments[0]),
        line: lineAt(node.callee.property.start),
      })
    },
    Literal(node) {
      if (typeof node.value === 'string') addLiteral(node.value, node)
    },
    TemplateLiteral(node) {
      addLiteral(node.quasis.map((quasi) => quasi.value.raw).join('${}'), node)
    },
    JSXText(node) {
      addLiteral(node.value, node, 'jsx')
    },
  }).visit(parsed.program)
  return { path, imports, calls, creations, literals }
}

/** Returns the text of a literal or the texts of an array of literals. Returns undefined for anything else. */
function textOf(node: Node | undefined): string | string[] | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.quasis?.length === 1) return node.quasis[0]?.value.raw
  if (node?.type !== 'ArrayExpression') return undefined
  const texts = (node.elements ?? []).map((element) => textOf(element as Node))
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

// The parser's enum exists only at compile time, so its members are compared as strings.
const unnamed = (kind: string): string => (kind === 'Default' ? 'default' : '*')
