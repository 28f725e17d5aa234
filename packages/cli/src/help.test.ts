import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runQuayside } from './program.ts'

async function help(isTTY: boolean, env: Record<string, string> = {}): Promise<string> {
  let text = ''
  await runQuayside(['builds', 'list', '--help'], {
    stdin: process.stdin,
    stdout: { write: (data) => (text += String(data)), isTTY },
    stderr: { write() {} },
    env,
    cwd: '/',
    signal: new AbortController().signal,
  })
  return text
}

test('prints headings in bold only on a terminal that shows colors', async () => {
  const bold = ['Usage:', 'Options:', 'Options of every command:', 'Example:']
  const styled = await help(true)
  for (const heading of bold) assert.ok(styled.includes(`\u001b[1m${heading}\u001b[22m`), heading)
  const plain = await help(false)
  assert.ok(!plain.includes('\u001b'))
  assert.equal(await help(true, { NO_COLOR: '1' }), plain)
})
