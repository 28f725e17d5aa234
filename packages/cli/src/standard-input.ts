import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { anySignal } from '@quayside/sdk'
import type { CommandContext } from './command-context.ts'
import { Failure } from './failure.ts'

/** Returns all text on standard input. Throws if it is a terminal, where the command would wait without a prompt. */
export async function readStandardInput({ runtime }: CommandContext, option: string): Promise<string> {
  if (runtime.stdin.isTTY === true)
    throw new Failure('usage', `${option} reads standard input. Pipe or redirect the text to the command.`)
  return text(runtime.stdin)
}

/** Asks a question on the terminal and returns the answer without surrounding spaces. */
export async function askLine(
  context: CommandContext,
  question: string,
  options: { isSecret?: boolean } = {},
): Promise<string> {
  const { runtime, signal } = context
  const isSecret = options.isSecret === true
  // Readline controls the terminal only for secrets, so that it does not echo them. For other input, the terminal
  // itself echoes the text and turns Ctrl-C into a signal.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: runtime.stdin, output, terminal: isSecret })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  try {
    const line = lines.question('', { signal: anySignal([signal, ended.signal]) })
    runtime.stderr.write(question)
    const answer = await line
    return isSecret ? answer : answer.trim()
  } catch (error) {
    if (!signal.aborted && !ended.signal.aborted) throw error
    throw new Failure('interrupted', 'Interrupted.')
  } finally {
    if (isSecret) runtime.stderr.write('\n')
    lines.close()
  }
}
