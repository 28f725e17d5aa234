import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { writeHelmChart } from './helm-chart.ts'

const root = join(import.meta.dirname, '../..')
const release = {
  root,
  version: '0.1.0',
  commit: '0'.repeat(40),
  committedAt: new Date('2026-01-31T12:00:00Z'),
  url: undefined,
  key: undefined,
  isFast: false,
  builder: 'urn:example',
}

test('packs every file of the chart, and rejects another version', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-chart-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const logged: string[] = []
  const log = (line: string) => logged.push(line)
  await writeHelmChart({ ...release, folder, log })
  assert.deepEqual(logged, ['quayside-chart-0.1.0.tgz'])
  execFileSync('tar', ['-xzf', 'quayside-chart-0.1.0.tgz'], { cwd: folder })
  const packed = await readFiles(join(folder, 'quayside'))
  assert.ok(packed.has('Chart.yaml'))
  assert.deepEqual(packed, await readFiles(join(root, 'deploy/helm/quayside')))
  await assert.rejects(writeHelmChart({ ...release, version: '9.9.9', folder, log }), /version 9\.9\.9/)
})

/** Returns the contents of all files in a folder by path. */
async function readFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
  const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return new Map(paths.map((path, index) => [relative(folder, path), contents[index] ?? '']))
}
