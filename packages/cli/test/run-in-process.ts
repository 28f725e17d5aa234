import { PassThrough } from 'node:stream'
import { resultFieldsOf } from '../src/add-command.ts'
import { requireDeclaredFields } from '../src/output/declared-fields.ts'
import { createProgram, runQuayside as runProgram } from '../src/program.ts'
import { environmentOf, parseResult, type Result } from './run-quayside.ts'
import type { Service } from './running-server.ts'

export type InProcessOptions = {
  env?: Record<string, string>
  cwd?: string
  /** Text on standard input. Ignored if `answers` is set. */
  input?: string
  /** Answers to the command's prompts, in order. If set, standard input is a terminal. */
  answers?: string[]
  /** Simulates Ctrl-C when aborted. */
  signal?: AbortSignal
  /** Maximum time until the first response from the server. */
  firstResponseMs?: number
  /** Width of the terminal that is standard output. Without it, standard output is a pipe. */
  columns?: number
  /** Called with the text on standard output. */
  onOutput?: (text: string) => void
}

/** Runs `quayside` in the test's own process, which is much faster than a new process for each command. */
export async function runInProcess(
  service: Service,
  args: string[],
  {
    env,
    cwd = service.folder,
    input = '',
    answers,
    signal,
    // The services of other files start in the same process, which delays responses on a busy machine.
    firstResponseMs = 120_000,
    columns,
    onOutput,
  }: InProcessOptions = {},
): Promise<Result> {
  const output = { stdout: '', stderr: '' }
  const stdin = Object.assign(new PassThrough(), { isTTY: answers !== undefined })
  if (answers === undefined) stdin.end(input)
  const remaining = [...(answers ?? [])]
  const code = await runProgram(args, {
    stdin,
    stdout: {
      ...(columns === undefined ? {} : { isTTY: true, columns }),
      write(data, done) {
        const text = typeof data === 'string' ? data : Buffer.from(data).toString()
        output.stdout += text
        onOutput?.(text)
        done?.()
      },
    },
    stderr: {
      write(text) {
        output.stderr += text
        if (/[:\]] $/.test(text) && remaining.length > 0) stdin.write(`${remaining.shift()}\n`)
      },
    },
    env: environmentOf(service, env),
    cwd,
    signal: signal ?? new AbortController().signal,
    firstResponseMs,
  })
  return { code, signal: null, ...output }
}

/**
 * Runs a command with `--json` and returns the parsed result. Throws an error with stderr if the command fails, or if its
 * result has a field that it does not declare.
 */
export async function jsonInProcess<Output>(
  service: Service,
  args: string[],
  options?: InProcessOptions,
): Promise<Output> {
  const result = parseResult(args, await runInProcess(service, [...args, '--json'], options))
  await requireDeclared(args, result)
  return result as Output
}

async function requireDeclared(args: string[], result: unknown): Promise<void> {
  const silent = { write: () => true }
  const runtime = {
    stdin: new PassThrough(),
    stdout: silent,
    stderr: silent,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
  }
  let command = await createProgram(runtime, () => {})
  for (const word of args) command = command.commands.find((child) => child.name() === word) ?? command
  const fields = resultFieldsOf(command)
  if (fields !== undefined) requireDeclaredFields(fields, pathsIn(result))
}

/** Returns the paths of all fields in a value, such as `stream.name`. */
function pathsIn(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(pathsIn))]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, nested]) => [
    name,
    ...pathsIn(nested).map((path) => `${name}.${path}`),
  ])
}
