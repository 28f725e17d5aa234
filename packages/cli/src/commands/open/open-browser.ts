import { spawn } from 'node:child_process'
import { platform } from 'node:os'
import { firstNonEmpty } from '../../ci/ci-metadata.ts'
import type { CommandContext } from '../../command-context.ts'

/** Opens a URL in the user's browser. Resolves with whether the program that opens the URL succeeded. */
export function openBrowser({ runtime, signal }: CommandContext, url: string): Promise<boolean> {
  const [program, ...args] = openCommand(firstNonEmpty(runtime.env['BROWSER']))
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', env: runtime.env, signal })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

function openCommand(browser: string | undefined): [program: string, ...args: string[]] {
  if (browser !== undefined) return [browser]
  if (platform() === 'darwin') return ['open']
  // The `start` command would interpret `&` in a URL.
  if (platform() === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
