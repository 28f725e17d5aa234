// Generated from integrations/launcher/upload.mjs by `npm run generate`. Do not edit.
//
// Uploads a build with the command line of the Quayside server, which this program downloads. The inputs are
// QUAYSIDE_… variables, or INPUT_… variables as GitHub Actions and Azure Pipelines set them. Arguments are options of
// `quayside upload`. Requires Node 20.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const inputs = [
  'SERVER',
  'APPLICATION',
  'API_KEY',
  'FILE',
  'STREAM',
  'PLATFORM',
  'VERSION',
  'BUILD_NUMBER',
  'LABELS',
  'NOTES',
  'NOTES_FILE',
  'METADATA',
  'RELEASE',
  'ENV_FILE',
]

/** Copies the inputs to the variables that the command line reads. Empty inputs do not replace a variable of the job. */
function setVariables(env) {
  for (const name of inputs) {
    // GitHub keeps hyphens in the names of inputs. Azure Pipelines allows only letters and digits.
    const value = env[`INPUT_${name.replaceAll('_', '-')}`] || env[`INPUT_${name.replaceAll('_', '')}`]
    if (value) env[`QUAYSIDE_${name}`] = value
  }
}

async function download(url) {
  const maxAttempts = 4
  for (let attempt = 1; ; attempt++) {
    const { code, reason, isTemporary } = await tryDownload(url)
    if (code) return code
    if (attempt === maxAttempts || !isTemporary)
      throw new Error(`Cannot download ${url} (${reason}). Check the URL of the server.`)
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt))
  }
}

async function tryDownload(url) {
  try {
    const response = await fetch(url)
    if (response.ok) return { code: new Uint8Array(await response.arrayBuffer()) }
    return { reason: `HTTP ${response.status}`, isTemporary: response.status >= 500 }
  } catch ({ message, cause }) {
    return { reason: cause instanceof Error ? cause.message : message, isTemporary: true }
  }
}

function fail(message) {
  const prefix =
    process.env.GITHUB_ACTIONS === 'true'
      ? '::error title=quayside::'
      : process.env.TF_BUILD === 'True'
        ? '##vso[task.logissue type=error]'
        : 'quayside: '
  console.error(prefix + message)
  process.exit(1)
}

setVariables(process.env)
const server = (process.env.QUAYSIDE_SERVER ?? '').replace(/\/+$/, '')
if (!URL.canParse(server))
  fail('The URL of the server is missing or invalid. Set the input `server` or QUAYSIDE_SERVER.')
// This function is available in Node 24.5 and later.
http.setGlobalProxyFromEnv?.()
const code = await download(`${server}/cli/quayside.mjs`).catch((error) => fail(error.message))
const folder = await mkdtemp(join(process.env.RUNNER_TEMP || tmpdir(), 'quayside-'))
try {
  const program = join(folder, 'quayside.mjs')
  await writeFile(program, code)
  process.argv.splice(1, 1, program, 'ci-upload')
  await import(pathToFileURL(program))
} finally {
  await rm(folder, { recursive: true, force: true })
}
