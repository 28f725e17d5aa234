import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { deployFolder } from './deploy-files.ts'

export type Values = { [name: string]: unknown }
export type RenderedManifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  data?: Record<string, string>
  spec?: Values
}
type Chart = { name: string; version: string; appVersion: string; kubeVersion: string }

const chartFolder = join(deployFolder, 'helm/quayside')
const read = (path: string): string => readFileSync(join(chartFolder, path), 'utf8')

export const chart = parse(read('Chart.yaml')) as Chart
export const values = parse(read('values.yaml')) as Values
export const valuesSchema = JSON.parse(read('values.schema.json')) as object
export const templates = Object.fromEntries(
  globSync('templates/*', { cwd: chartFolder }).map((path) => [`${chart.name}/${path}`, read(path)]),
)

const release = { Name: 'quayside', Namespace: 'quayside', Service: 'Helm', Revision: 1 }
const runs = (program: string, args: string[]): boolean => spawnSync(program, args).status === 0
const hasHelm = runs('helm', ['version'])
const goEnvironment = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
const sprig = 'golang-github-masterminds-sprig-dev'

/** The program that renders the chart: Helm, or the engine of its templates. */
export const renderer = hasHelm ? 'helm' : 'render-chart.go'

/** Returns the reason why `renderChart` cannot run, or undefined if it can. */
export function whyNoRenderer(): string | undefined {
  if (hasHelm) return undefined
  const { status } = spawnSync('go', ['list', 'github.com/Masterminds/sprig'], { env: goEnvironment })
  return status === 0 ? undefined : `needs Helm, or the Debian packages golang-go and ${sprig}`
}

/** Renders the chart with changed values. Returns the manifests and the notes. */
export async function renderChart(
  changes: Values = {},
): Promise<{ manifests: RenderedManifest[]; notes: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'quayside-helm-'))
  try {
    return await (hasHelm ? renderWithHelm(folder, changes) : renderWithGo(folder, changes))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function renderWithHelm(folder: string, changes: Values) {
  const file = join(folder, 'values.json')
  await writeFile(file, JSON.stringify(changes))
  const target = [release.Name, chartFolder, '--namespace', release.Namespace, '--values', file]
  const install = ['install', '--dry-run=client', '--output', 'json', ...target]
  const { stdout } = await promisify(execFile)('helm', install, { maxBuffer: 1 << 26 })
  const { manifest, info } = JSON.parse(stdout) as { manifest: string; info: { notes: string } }
  return { manifests: parseManifests(manifest), notes: info.notes }
}

async function renderWithGo(folder: string, changes: Values) {
  const program = join(folder, 'render-chart')
  const build = ['build', '-o', program, join(import.meta.dirname, 'render-chart.go')]
  await promisify(execFile)('go', build, { env: goEnvironment })
  const context = {
    Values: merge(values, changes),
    Release: release,
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Template: { BasePath: `${chart.name}/templates` },
  }
  const input = JSON.stringify({ templates, context })
  const { status, stdout, stderr } = spawnSync(program, { input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const rendered = JSON.parse(stdout) as Record<string, string>
  const yaml = Object.entries(rendered).filter(([name]) => name.endsWith('.yaml'))
  const notes = rendered[`${chart.name}/templates/NOTES.txt`] ?? ''
  return { manifests: yaml.flatMap(([, text]) => parseManifests(text)), notes }
}

const parseManifests = (text: string): RenderedManifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as RenderedManifest | null)
    .filter((manifest) => manifest !== null)

/** Merges values as Helm does: objects are merged, and everything else is replaced. */
function merge(base: Values, changes: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const merged = Object.entries(changes).map(([name, value]) => {
    const previous = base[name]
    return [name, isObject(previous) && isObject(value) ? merge(previous, value) : value]
  })
  return { ...base, ...(Object.fromEntries(merged) as Values) }
}
