import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from '../endpoint/conditional.ts'

export type StaticFile = {
  /** Media type without a charset. */
  type: string
  content: Buffer
  /** Quoted entity tag. */
  tag: string
}

/** Sends a file in UTF-8, or 304 if the client already has it. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, content, tag }: StaticFile,
): FastifyReply {
  reply.header('etag', tag)
  if (isUnchanged(request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type(`${type}; charset=utf-8`).send(content)
}
