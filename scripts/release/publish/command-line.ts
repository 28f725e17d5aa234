import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseError } from '../release-error.ts'
import { run } from '../run.ts'

export type CommandLine = {
  /** Runs a command for the application and returns its result. Throws `ReleaseError` with the reason if it fails. */
  quayside: <T>(...args: string[]) => Promise<T>
  /** Uploads a build with the program of the GitHub action, which reads `inputs` from the environment. Returns its ID. */
  upload: (inputs: Record<string, string>, options: readonly string[]) => Promise<string>
}

type Server = { server: string; apiKey: string; application: string }

/** Downloads the command line from the server to a folder. */
export async function createCommandLine(
  root: string,
  folder: string,
  { server, apiKey, application }: Server,
): Promise<CommandLine> {
  const program = join(folder, 'quayside.mjs')
  await writeFile(program, await download(`${server}/cli/quayside.mjs`))
  const launcher = join(root, 'integrations/github-action/upload.mjs')
  // Otherwise, each upload would add outputs to the step.
  const env = { ...process.env, GITHUB_OUTPUT: '' }
  const execute = async (name: string, args: readonly string[], variables: Record<string, string> = {}) => {
    const settings = { QUAYSIDE_SERVER: server, QUAYSIDE_API_KEY: apiKey, QUAYSIDE_APPLICATION: application }
    const options = { cwd: folder, env: { ...env, ...settings, ...variables } }
    const output = await run(process.execPath, [name, ...args, '--json'], options).catch(failWithReason)
    return JSON.parse(output) as unknown
  }
  return {
    quayside: async <T>(...args: string[]) => (await execute(program, args)) as T,
    upload: async (inputs, options) => {
      const variables = Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [`QUAYSIDE_${name}`, value]),
      )
      const { build_id } = (await execute(launcher, options, variables)) as { build_id: string }
      return build_id
    },
  }
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new ReleaseError(`${url} cannot be reached. Check QUAYSIDE_SERVER.`, { cause: error })
  })
  if (!response.ok) throw new ReleaseError(`${url} returns HTTP ${response.status}. Check QUAYSIDE_SERVER.`)
  return new Uint8Array(await response.arrayBuffer())
}

function failWithReason(error: unknown): never {
  const { stderr = '' } = error as { stderr?: string }
  throw new ReleaseError(messageIn(stderr) ?? (stderr.trim() || String(error)), { cause: error })
}

/** Returns the message of the failure that the command line reports as its last line. */
function messageIn(stderr: string): string | undefined {
  try {
    const { message } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { message?: string }
    return message
  } catch {
    return undefined
  }
}
