import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { Problem, type ProblemKind } from '../packages/server/src/lib/problem.ts'
import { damageAdvice, damageMessages } from '../packages/server/src/storage/damaged-file.ts'

type Node = { type: string; start: number; [key: string]: unknown }
type Found = { status: number; code: string; message: string }
/** The parameter values of the function that is being evaluated. */
type Scope = ReadonlyMap<string, Node>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

function* descendants(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* descendants(child)
}

const intro = `# Error codes

Look up the \`code\` of an API error to see its status and message. Codes never change; messages may become clearer.

An error response is \`{"message", "code", "request_id", "errors"?}\`. \`errors\` lists the invalid fields of a request. For 429 and 503,
\`Retry-After\` is the number of seconds to wait. [Troubleshooting](troubleshooting.md) explains the most frequent errors. In the messages
below, … stands for a value.

<!-- \`npm run generate\` writes this page from the source code. -->
`

/**
 * Returns the text of docs/errors.md: every error code in the source of the server, with its status and messages. Throws
 * if it cannot determine the code of an error.
 */
export function errorsPage(root: string): string {
  const paths = globSync('packages/server/src/**/*.ts', { cwd: root }).toSorted()
  const programs = new Map<string, Node>()
  for (const path of paths)
    if (!path.endsWith('.test.ts') && !path.endsWith('lib/problem.ts')) {
      const text = readFileSync(join(root, path), 'utf8')
      programs.set(path, parseSync(path, text).program as unknown as Node)
    }
  const entries = new Map<string, { code: string; status: number; messages: Set<string> }>()
  for (const { status, code, message } of [
    ...problemsIn(programs),
    ...errorObjectsIn(programs),
    ...inherited,
  ]) {
    const entry = entries.get(code) ?? { status, code, messages: new Set() }
    if (message !== '') entry.messages.add(message)
    entries.set(code, entry)
  }
  const groups = Map.groupBy(
    [...entries.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    ({ code }) => code.split('.')[0] ?? '',
  )
  const sections = [...groups].map(([noun, group]) => {
    const rows = group.map(({ status, code, messages }) => {
      const text = [...messages].join(' / ').replaceAll('|', '\\|')
      return `| \`${code}\` | ${status} | ${text || 'The message describes the problem.'} |`
    })
    return `## ${noun}\n\n| code | status | message |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return `${intro}\n${sections.join('\n')}`
}

// The messages of these errors are not next to their codes.
const inherited: Found[] = [
  {
    status: 404,
    code: 'resource.not_found',
    message: 'Not found. The resource does not exist, or the key cannot access it.',
  },
  ...Object.entries(damageMessages).map(([code, message]) => ({
    status: 503,
    code,
    message: `${message} ${damageAdvice}`,
  })),
]

const isCode = (text: string | undefined): text is string => /^[a-z0-9_]+\.[a-z0-9_]+$/.test(text ?? '')

/** Yields every problem that is created directly, or by calling a function with a literal code. */
function* problemsIn(programs: ReadonlyMap<string, Node>): Generator<Found> {
  for (const [path, program] of programs)
    for (const { owner, creation } of creations(program)) {
      const scopes = owner === undefined ? [] : scopesOf(owner, program, programs)
      const found = [new Map(), ...scopes].flatMap((scope) => evaluate(creation, scope))
      if (found.length === 0 && !hasDynamicCode.has(path))
        throw new Error(`${path}: the code of an error cannot be determined. Use a literal code.`)
      yield* found
    }
}

// These codes are defined by @quayside/embedded-postgres. They appear only in the log at startup.
const hasDynamicCode = new Set(['packages/server/src/database/embedded-database.ts'])

function evaluate(creation: Node, scope: Scope): Found[] {
  const [kinds = [], codes = [], messages = []] = (creation['arguments'] as Node[]).map((node) =>
    texts(node, scope),
  )
  const { status } = new Problem(kinds[0] as ProblemKind, '', '')
  return codes.filter(isCode).flatMap((code) =>
    (messages.length > 0 ? messages : ['']).map((message) => ({
      status,
      code,
      message: message.replaceAll(/\s+/g, ' ').replaceAll(/…[… ]*…/g, '…'),
    })),
  )
}

/** Yields every error that is written as an object with a status, a code and a message. */
function* errorObjectsIn(programs: ReadonlyMap<string, Node>): Generator<Found> {
  for (const program of programs.values())
    for (const node of descendants(program)) {
      if (node.type !== 'ObjectExpression') continue
      const property = (name: string) =>
        (node['properties'] as Node[]).find(
          ({ key }) => (key as { name?: string } | undefined)?.name === name,
        )?.['value'] as Node | undefined
      const status = property('status')?.['value']
      const [code] = texts(property('code'), new Map())
      if (typeof status !== 'number' || !isCode(code)) continue
      yield { status, code, message: texts(property('message'), new Map()).join(' / ') }
    }
}

type Owner = { name: string; parameters: string[] }

/** Yields each `new Problem(…)` with the named function that contains it. */
function* creations(node: Node, owner?: Owner): Generator<{ owner: Owner | undefined; creation: Node }> {
  const callee = node['callee'] as { name?: string } | undefined
  if (node.type === 'NewExpression' && callee?.name === 'Problem') yield { owner, creation: node }
  const inner = ownerOf(node) ?? owner
  for (const child of childrenOf(node)) yield* creations(child, inner)
}

function ownerOf(node: Node): Owner | undefined {
  const name = (node['id'] as { name?: string } | null | undefined)?.name
  const definition = (node.type === 'VariableDeclarator' ? node['init'] : node) as Node | null
  if (name === undefined || !isNode(definition) || !Array.isArray(definition['params'])) return undefined
  return {
    name,
    parameters: definition['params'].map((parameter: { name?: string }) => parameter.name ?? ''),
  }
}

/** Returns the arguments of every call to a function, in its own file and in the files that import it. */
function scopesOf({ name, parameters }: Owner, program: Node, programs: ReadonlyMap<string, Node>): Scope[] {
  const callers = [...programs.values()].filter((other) => other === program || imports(other, name))
  return callers
    .flatMap((caller) => [...descendants(caller)])
    .filter(({ type, callee }) => type === 'CallExpression' && (callee as { name?: string }).name === name)
    .map(
      (call) =>
        new Map((call['arguments'] as Node[]).map((argument, index) => [parameters[index] ?? '', argument])),
    )
}

const imports = (program: Node, name: string): boolean =>
  (program['body'] as Node[])
    .filter(({ type }) => type === 'ImportDeclaration')
    .flatMap(({ specifiers }) => specifiers as Node[])
    .some(({ local }) => (local as { name: string }).name === name)

/** Returns the possible string values of an expression, with … for unknown parts, or [] if no part is known. */
function texts(node: Node | undefined, scope: Scope): string[] {
  if (node === undefined) return []
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'Identifier') {
    const value = scope.get(node['name'] as string)
    return value === undefined ? [] : texts(value, new Map())
  }
  if (node.type === 'ConditionalExpression')
    return [...texts(node['consequent'] as Node, scope), ...texts(node['alternate'] as Node, scope)]
  if (node.type === 'BinaryExpression')
    return combine([node['left'] as Node, node['right'] as Node], ['', '', ''], scope)
  if (node.type !== 'TemplateLiteral') return []
  const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  return combine(node['expressions'] as Node[], quasis, scope)
}

/** Returns the strings that a template literal can produce, one for each combination of values of its expressions. */
const combine = (expressions: Node[], pieces: string[], scope: Scope): string[] =>
  expressions.reduce<string[]>(
    (started, expression, index) => {
      const options = texts(expression, scope)
      return started.flatMap((start) =>
        (options.length === 0 ? ['…'] : options).map((option) => start + option + (pieces[index + 1] ?? '')),
      )
    },
    [pieces[0] ?? ''],
  )
