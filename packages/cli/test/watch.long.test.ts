import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonInProcess, runInProcess } from './run-in-process.ts'
import { startService } from './running-server.ts'
import type { Service } from './running-server.ts'

type Line = {
  action: string
  id: string
  cursor: string
  build: { build_number: string | null; stream: { name: string } } | null
}

let service: Service
const env = { QUAYSIDE_APPLICATION: 'Game' }

const json = <Output>(args: string[]) => jsonInProcess<Output>(service, args, { env })
const upload = async (...args: string[]) =>
  (await json<{ build_id: string }>(['upload', 'game-1.0.0.bin', '--no-scm', ...args])).build_id

before(async () => {
  service = await startService()
  await writeFile(join(service.folder, 'game-1.0.0.bin'), randomBytes(1000))
  await json(['applications', 'create', 'Game', '--platform', 'linux'])
})
after(() => service.close())

/** Runs `builds watch` until `stop` is called. */
function watch(...args: string[]) {
  const controller = new AbortController()
  const lines: string[] = []
  let check = (): void => {}
  const ended = runInProcess(service, ['builds', 'watch', ...args], {
    env,
    signal: controller.signal,
    onOutput(text) {
      lines.push(...text.split('\n').filter(Boolean))
      check()
    },
  })
  return {
    lines,
    /** Resolves with the lines once there are `count` of them. */
    async until(count: number): Promise<string[]> {
      await Promise.race([
        new Promise<void>((resolve) => {
          check = () => lines.length >= count && resolve()
          check()
        }),
        ended.then(({ stderr }) => assert.fail(stderr)),
      ])
      return lines
    },
    async stop() {
      controller.abort()
      return ended
    },
  }
}
const parsed = (lines: string[]) => lines.map((line) => JSON.parse(line) as Line)

/** Edits the builds until the command prints something, because it takes a moment to start. */
async function editUntilPrinted(watching: ReturnType<typeof watch>, ...ids: string[]): Promise<void> {
  for (let count = 1; watching.lines.length === 0; count++)
    for (const id of ids) await json(['builds', 'edit', id, '--notes', `${count}`])
}

/** Returns the lines once one of them meets the condition. */
async function linesWith(
  watching: ReturnType<typeof watch>,
  condition: (line: Line) => boolean,
): Promise<Line[]> {
  while (!parsed(watching.lines).some(condition)) await watching.until(watching.lines.length + 1)
  return parsed(watching.lines)
}

test('prints each change of a build once, even if the server is temporarily unreachable', async () => {
  const first = await upload()
  const watching = watch('--json')
  await editUntilPrinted(watching, first)
  await json(['builds', 'edit', first, '--build-number', '7'])
  await linesWith(watching, ({ build }) => build?.build_number === '7')
  const before = watching.lines.length
  service.gate.disconnect()
  service.gate.release()
  const second = await upload('--stream', 'stable')
  await json(['builds', 'delete', first, '--yes'])
  // The new build is listed at its latest change, such as the end of its processing, which can follow the deletion.
  const isCreation = ({ action, id }: Line) => action === 'created' && id === second
  await linesWith(watching, isCreation)
  const all = await linesWith(watching, ({ action }) => action === 'deleted')
  assert.equal(new Set(all.map(({ cursor }) => cursor)).size, all.length)
  const lines = all.slice(before)
  // A line shows the current state, so an earlier edit can already show build number 7.
  assert.deepEqual(
    lines
      .filter(({ action }) => action !== 'updated')
      .toSorted((a, b) => a.action.localeCompare(b.action))
      .map(({ action, id, build }) => [action, id, build?.stream.name]),
    [
      ['created', second, 'stable'],
      ['deleted', first, undefined],
    ],
  )
  const { code } = await watching.stop()
  assert.equal(code, 130)

  // The new build can change again between the two runs, so only the deletion is certain to be repeated unchanged.
  const deletion = lines.find(({ action }) => action === 'deleted')!
  const position = lines.indexOf(deletion)
  const previous = position > 0 ? lines[position - 1] : all[before - 1]
  const resumed = watch('--json', '--cursor', previous!.cursor)
  const repeated = await linesWith(resumed, ({ action }) => action === 'deleted')
  assert.deepEqual(repeated[0], deletion)
  await resumed.stop()
})

test('prints only builds in the selected streams and for the selected platforms', async () => {
  const [inDefault, inStable] = [await upload(), await upload('--stream', 'stable')]
  const watching = watch('--stream', 'Stable,weekly', '--platform', 'linux')
  await editUntilPrinted(watching, inDefault, inStable)
  await json(['builds', 'delete', inDefault, '--yes'])
  await json(['builds', 'delete', inStable, '--yes'])
  while (!watching.lines.at(-1)!.includes('deleted')) await watching.until(watching.lines.length + 1)
  await watching.stop()
  const updated = new RegExp(
    `^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}  updated  ${inStable}  1\\.0\\.0 +linux +stable `,
    'i',
  )
  // The command may have started before the server had read that the build was created.
  assert.ok(
    watching.lines.some((line) => updated.test(line)),
    watching.lines.join('\n'),
  )
  assert.ok(watching.lines.every((line) => line.includes(inStable)))
})

test('reports an invalid cursor and a missing application', async () => {
  const invalid = await runInProcess(service, ['builds', 'watch', '--cursor', 'x'], { env })
  assert.equal(invalid.code, 1)
  assert.match(invalid.stderr, /--cursor must be the ID of an earlier event/)
  const missing = await runInProcess(service, ['builds', 'watch'], { env: { QUAYSIDE_APPLICATION: 'None' } })
  assert.equal(missing.code, 1)
})

test('copies changes immediately with `mirror --watch`, even after the connection is lost', async () => {
  const folder = join(service.folder, 'mirror')
  const controller = new AbortController()
  const args = ['mirror', 'Game', folder, '--watch', '--interval', '86400']
  const running = runInProcess(service, args, { signal: controller.signal })
  const isCopied = async (id: string) =>
    (await readdir(join(folder, 'builds/default')).catch((): string[] => [])).includes(`1.0.0_${id}`)
  await untilCopied(isCopied, await upload())
  service.gate.disconnect()
  service.gate.release()
  const last = await upload()
  await untilCopied(isCopied, last)
  await json(['builds', 'delete', last, '--yes'])
  while (await isCopied(last)) await sleep(20)
  controller.abort()
  assert.equal((await running).code, 130)
})

async function untilCopied(isCopied: (id: string) => Promise<boolean>, id: string): Promise<void> {
  while (!(await isCopied(id))) await sleep(20)
}
