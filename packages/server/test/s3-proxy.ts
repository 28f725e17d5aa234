import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

/**
 * What the proxy does with a request: `drop-response` and `fail-after` forward it, but lose the response or replace it
 * with status 500. The others do not forward it: `false-success` responds as if an upload had been completed,
 * `error-in-200` responds with status 200 and an error in the body, as AWS does, `fail` responds with status 500, and
 * `hang` never responds. `flip-bit` forwards it and changes one bit of the body of the response. An object forwards it and
 * replaces headers of the response. `flip-request-bit` changes one bit of the body of the request. `no-such-upload`
 * responds as if a multipart upload did not exist, and `deny` as if the credentials did not permit the call.
 */
export type Fault =
  | 'drop-response'
  | 'fail-after'
  | 'false-success'
  | 'error-in-200'
  | 'fail'
  | 'hang'
  | 'flip-bit'
  | 'flip-request-bit'
  | 'no-such-upload'
  | 'deny'
  | Record<string, string>

export const completeFaults: readonly Fault[] = [
  'drop-response',
  'fail-after',
  'false-success',
  'error-in-200',
]

/** Returns whether the request completes a multipart upload. */
export const isComplete = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /[?&]uploadId=/.test(url)

/** Starts a proxy to an S3 server that can lose, delay and falsify responses. */
export async function startS3Proxy(
  target: string,
  chooseFault: (request: IncomingMessage) => Fault | undefined = () => undefined,
) {
  const upstream = new URL(target)
  const state = { fault: undefined as Fault | undefined, isRefusing: false }
  const server = createServer((incoming, outgoing) => {
    if (state.isRefusing) {
      incoming.socket.destroy()
      return
    }
    const fault = state.fault ?? chooseFault(incoming)
    if (fault === 'hang') return
    if (fault === 'false-success') sendXml(outgoing, 200, completed)
    else if (fault === 'error-in-200') sendXml(outgoing, 200, internalError)
    else if (fault === 'no-such-upload') sendXml(outgoing, 404, errorXml('NoSuchUpload'))
    else if (fault === 'deny') sendXml(outgoing, 403, errorXml('AccessDenied'))
    else if (fault === 'fail') sendXml(outgoing, 500, internalError)
    else forward(incoming, outgoing, fault)
  })

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
    const { method, url, headers } = incoming
    const options = { host: upstream.hostname, port: upstream.port, method, path: url, headers }
    const sent = request(options, (received) => {
      if (fault === undefined || fault === 'flip-request-bit') {
        outgoing.writeHead(received.statusCode ?? 502, received.headers)
        received.pipe(outgoing)
        return
      }
      if (typeof fault === 'object') {
        outgoing.writeHead(received.statusCode ?? 502, { ...received.headers, ...fault })
        received.pipe(outgoing)
        return
      }
      if (fault === 'flip-bit') {
        outgoing.writeHead(received.statusCode ?? 502, received.headers)
        received.pipe(flipBit()).pipe(outgoing)
        return
      }
      received.resume().once('end', () => {
        if (fault === 'drop-response') incoming.socket.destroy()
        else sendXml(outgoing, 500, internalError)
      })
    })
    sent.on('error', () => incoming.socket.destroy())
    incoming.on('error', () => sent.destroy())
    if (fault === 'flip-request-bit') incoming.pipe(flipBit()).pipe(sent)
    else incoming.pipe(sent)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Refuses or delays every request until `heal` is called. */
    stop(mode: 'refuse' | 'hang'): void {
      state.isRefusing = mode === 'refuse'
      state.fault = mode === 'hang' ? 'hang' : undefined
      server.closeAllConnections()
    },
    heal(): void {
      state.isRefusing = false
      state.fault = undefined
      // Requests that were not answered would otherwise wait for their timeouts.
      server.closeAllConnections()
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const completed =
  '<?xml version="1.0" encoding="UTF-8"?><CompleteMultipartUploadResult><ETag>&quot;00000000000000000000000000000000-1&quot;</ETag></CompleteMultipartUploadResult>'
const errorXml = (code: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Try again.</Message></Error>`
const internalError = errorXml('InternalError')

/** Changes the lowest bit of the first byte. */
function flipBit(): Transform {
  let isChanged = false
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = Buffer.from(chunk)
      if (!isChanged) bytes[0] = (bytes[0] ?? 0) ^ 1
      isChanged = true
      done(null, bytes)
    },
  })
}

function sendXml(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(text) })
    .end(text)
}
