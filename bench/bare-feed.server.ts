import Fastify from 'fastify'

// This route shows the minimum cost of a feed: it compares the entity tag and sends a text in memory.
const { port, body, etag } = JSON.parse(process.argv[2] ?? '') as { port: number; body: string; etag: string }
const server = Fastify()
server.get('/feed', async ({ headers }, reply) => {
  void reply.header('etag', etag)
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
})
await server.listen({ port, host: '127.0.0.1' })
