import type { FastifyInstance } from 'fastify'
import { sendFile } from '../../http/wire/send-file.ts'
import type { CliBundle } from './bundle.ts'
import { installScript } from './install-script.ts'

/** Serves the CLI as a single file, and a script that installs it, without authentication. */
export function cliDownload(bundle: () => Promise<CliBundle>, publicUrl: string) {
  return async (api: FastifyInstance): Promise<void> => {
    api.get('/cli/quayside.mjs', async (request, reply) => {
      const { code, sha256 } = await bundle()
      return sendFile(request, reply, { type: 'text/javascript', content: code, tag: `"${sha256}"` })
    })
    api.get('/cli/install.sh', async (request, reply) => {
      const { sha256 } = await bundle()
      const content = Buffer.from(installScript(publicUrl, sha256))
      return sendFile(request, reply, { type: 'text/x-shellscript', content, tag: `"install-${sha256}"` })
    })
  }
}
