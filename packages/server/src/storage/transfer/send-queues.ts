import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'
import { isErrno } from '../../lib/problem.ts'
import { groupsOf, normalizeAddress } from '../../net/ip-address.ts'

/** The number of bytes in the send queue of each connection. Connections with an empty queue are missing. */
export type SendQueues = ReadonlyMap<string, number>

/** Returns the key of a connection in `SendQueues`. */
export const connectionKey = ({
  localPort = 0,
  remoteAddress = '',
  remotePort = 0,
}: Pick<Socket, 'localPort' | 'remoteAddress' | 'remotePort'>): string =>
  `${localPort}-${hexOf(remoteAddress)}-${remotePort}`

/**
 * Reads how many bytes the kernel holds for each client of this machine, because the client has not acknowledged them.
 * Throws except on Linux.
 */
export async function readSendQueues(): Promise<SendQueues> {
  const [tcp, tcp6] = await Promise.all([
    readFile('/proc/self/net/tcp', 'latin1'),
    readFile('/proc/self/net/tcp6', 'latin1').catch((error: unknown) => {
      // The kernel may have been started without IPv6.
      if (isErrno(error, 'ENOENT')) return ''
      throw error
    }),
  ])
  return parseSendQueues(tcp + tcp6)
}

// "sl: local_address:port remote_address:port state tx_queue:rx_queue …", all in hexadecimal (Linux kernel
// documentation, networking/proc_net_tcp).
const nonEmptyQueue =
  /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+):([\dA-F]{4}) [\dA-F]{2} (?!00000000)([\dA-F]{8}):/gm

function parseSendQueues(text: string): SendQueues {
  const queues = new Map<string, number>()
  for (const [, localPort = '', address = '', remotePort = '', sizeBytes = ''] of text.matchAll(
    nonEmptyQueue,
  )) {
    const [local, remote, queuedBytes] = [localPort, remotePort, sizeBytes].map((hex) =>
      Number.parseInt(hex, 16),
    )
    queues.set(`${local}-${inNetworkOrder(address)}-${remote}`, queuedBytes ?? 0)
  }
  return queues
}

/** Converts an address, which the kernel prints as 32-bit numbers in the byte order of the machine. */
function inNetworkOrder(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  const address = (endianness() === 'LE' ? bytes.swap32() : bytes).toString('hex')
  return address.replace(/^0{20}f{4}/, '')
}

function hexOf(text: string): string {
  const address = normalizeAddress(text) ?? ''
  return address.includes(':')
    ? groupsOf(address)
        .map((group) => group.padStart(4, '0'))
        .join('')
    : Buffer.from(address.split('.').map(Number)).toString('hex')
}
