import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A command that fails, its exit code and its final message. `{name}` stands for a value that differs between runs. */
export type Mistake = { group: string; command: string; code: number; message: string }

/** Reads the table of mistakes: a heading for each group, and for each mistake its command, exit code and message. */
export async function readMistakes(): Promise<Mistake[]> {
  const blocks = (await readFile(join(import.meta.dirname, 'mistakes.txt'), 'utf8')).trim().split('\n\n')
  let group = ''
  return blocks.flatMap((block) => {
    if (block.startsWith('# ')) group = block.slice(2)
    const [, command = '', code, message = ''] = /^\$ (.*)\n(\d+): (.*)$/.exec(block) ?? []
    return code === undefined ? [] : [{ group, command, code: Number(code), message }]
  })
}
