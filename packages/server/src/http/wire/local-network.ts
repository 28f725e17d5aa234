import { existsSync } from 'node:fs'
import { networkInterfaces, release } from 'node:os'
import { isPublished } from '../../config/package-files.ts'
import { isLoopback } from '../../net/ip-address.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

/** What is known about the computer. `isIsolated` means that other devices cannot reach its addresses, as in a container. */
type Computer = { interfaces: Interfaces; isIsolated: boolean }

export type LocalNetwork = {
  /** The URLs that the service could have in the networks of the computer, the most likely one first. */
  urls: string[]
  /** The command that starts the service for the devices in the network; null if `urls` is empty. */
  command: string | null
}

// Containers and virtual machines use these networks, which other devices cannot reach.
const virtualNames = /^(docker|br-|veth|virbr|vmnet|vboxnet|cni|podman|utun|tailscale|tun|tap)/

const containerFiles = ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io']

const thisComputer = (): Computer => ({
  interfaces: networkInterfaces(),
  // WSL, like a container, has a network of its own.
  isIsolated: containerFiles.some((path) => existsSync(path)) || /microsoft/i.test(release()),
})

/**
 * Returns null if other devices may be able to open the public URL. If it leads each device to itself, returns how the
 * devices in the network of this computer could reach the service, which listens on this port without TLS.
 */
export function localNetwork(
  { publicUrl, port }: { publicUrl: string; port: number },
  { interfaces, isIsolated }: Computer = thisComputer(),
): LocalNetwork | null {
  const { hostname } = new URL(publicUrl)
  if (!isLoopback(hostname) && !hostname.endsWith('.localhost')) return null
  if (isIsolated) return { urls: [], command: null }
  const urls = Object.entries(interfaces)
    .filter(([name]) => !virtualNames.test(name))
    .flatMap(([, addresses = []]) => addresses)
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => new URL(`http://${address}:${port}`).origin)
  const [first] = urls
  return { urls, command: first === undefined ? null : startCommand(first, port) }
}

const defaultPort = 4400

const startCommand = (url: string, port: number): string =>
  [
    'QUAYSIDE_HOST=0.0.0.0',
    ...(port === defaultPort ? [] : [`QUAYSIDE_PORT=${port}`]),
    `QUAYSIDE_PUBLIC_URL=${url}`,
    isPublished ? 'npx @quayside/server' : 'npm start',
  ].join(' ')
