import type { Command } from 'commander'
import { addCommand } from '../../add-command.ts'
import type { Runtime } from '../../command-context.ts'
import { Failure } from '../../failure.ts'
import { hostsPath, readHosts, withoutStoredKey, writeHosts } from '../../hosts.ts'

export function addLogout(parent: Command, runtime: Runtime): void {
  addCommand(parent, runtime, {
    usage: 'logout',
    summary: 'delete the stored API key for a server',
    description: 'Delete the stored API key for a server. The key itself remains valid until it is revoked.',
    result: { server: false, deleted: false },
    example: 'quayside logout --server https://builds.example.com',
    async run({ settings, output, runtime: { env } }) {
      const path = hostsPath(env)
      const hosts = readHosts(path)
      const { server } = settings
      if (hosts.servers[server] === undefined) {
        const others = Object.keys(hosts.servers)
        const advice =
          others.length === 0 ? '' : ` Select one of these servers with --server: ${others.join(', ')}.`
        throw new Failure('failed', `No API key is stored for ${server}.${advice}`)
      }
      writeHosts(path, withoutStoredKey(hosts, server))
      output.result({ server, deleted: true }, () => `Deleted the stored API key for ${server}.`)
    },
  })
}
