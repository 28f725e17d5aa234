import { connect } from 'node:net'

export type RawResponse = { status: number; headers: Record<string, string>; body: string }

/**
 * Sends raw bytes to a server and returns the first complete response. Rejects if the connection closes before that.
 */
export function sendRaw(
  origin: string,
  bytes: string | Uint8Array,
  { halfClose = false } = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const isHead = Buffer.from(bytes).toString('latin1', 0, 5) === 'HEAD '
    let text = ''
    const settle = (): void => {
      const response = parse(text, isHead)
      if (response === undefined) return
      socket.destroy()
      resolve(response)
    }
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      settle()
    })
    socket.on('close', () => reject(new Error(`closed after ${JSON.stringify(text.slice(0, 200))}`)))
    socket.on('end', () => socket.destroy())
    socket.write(bytes)
    if (halfClose) socket.end()
  })
}

function parse(text: string, isHead: boolean): RawResponse | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  if (status === 100) return parse(text.slice(end + 4), isHead)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const body = text.slice(end + 4)
  return !isHead && body.length < Number(headers['content-length'] ?? 0)
    ? undefined
    : { status, headers, body }
}
