import type { FastifyReply, FastifyRequest } from 'fastify'

const mostBytes = 16 * 1024 * 1024

/**
 * Reads the rest of a refused body and drops it: closing while the client still sends would reset the connection,
 * and most clients then report that instead of the answer. Past a limit the connection ends all the same.
 */
export function readOut({ raw }: FastifyRequest, reply: FastifyReply): void {
  let left = mostBytes
  reply.removeHeader('connection')
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) raw.destroy()
  })
}
