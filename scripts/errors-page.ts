import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { problemCatalogue, type ProblemDefinition } from '../packages/server/src/lib/problem.ts'

const intro = `# Error codes

Look up the \`code\` of an API error to see its status and message. Codes never change; messages may become clearer.

An error response is \`{"message", "code", "request_id", "errors"?}\`. \`errors\` lists the invalid fields of a request. For 429 and 503,
\`Retry-After\` is the number of seconds to wait. \`resource.not_found\` means that the resource does not exist or that the caller cannot
access it. [Troubleshooting](troubleshooting.md) explains the most frequent errors. In the messages below, … stands for a value.

<!-- \`npm run generate\` writes this page from the definitions in the source code. -->
`

/** Returns the text of docs/errors.md: every error code of the server with its statuses and messages. */
export async function errorsPage(root: string): Promise<string> {
  await importDefinitions(root)
  const codes = [...problemCatalogue()].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const groups = Map.groupBy(codes, ([code]) => code.split('.')[0] ?? '')
  const sections = [...groups].map(([noun, group]) => {
    const rows = group.map(([code, definitions]) => row(code, definitions))
    return `## ${noun}\n\n| code | status | message |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  return `${intro}\n${sections.join('\n')}`
}

/** Imports every module that defines errors, so that they are in the catalogue. */
async function importDefinitions(root: string): Promise<void> {
  const paths = globSync('packages/server/src/**/*.ts', { cwd: root }).toSorted()
  for (const path of paths) {
    if (/\.(test|suite|fixture)\.ts$/.test(path)) continue
    const definesProblems = /^import \{[^}]*\bproblem\b[^}]*\} from '[^']*\/lib\/problem\.ts'$/m
    if (definesProblems.test(readFileSync(join(root, path), 'utf8')))
      await import(pathToFileURL(join(root, path)).href)
  }
}

function row(code: string, definitions: readonly ProblemDefinition[]): string {
  const statuses = new Set(definitions.map(({ status }) => status))
  const messages = new Set(definitions.map(messageOf).filter((message) => /[a-z]/i.test(message)))
  const text = [...messages].toSorted().join(' / ').replaceAll('|', '\\|')
  return `| \`${code}\` | ${[...statuses].toSorted((a, b) => a - b).join(', ')} | ${text || 'The message describes the problem.'} |`
}

const messageOf = ({ text }: ProblemDefinition): string =>
  text
    .replaceAll(/\{\w+\}/g, '…')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/…[… ]*…/g, '…')
