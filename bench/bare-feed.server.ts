import Fastify from 'fastify'

/** The response of a feed that the bare route repeats. */
export type BareFeed = { port: number; body: string; headers: Record<string, string> }

// This route shows the minimum cost of a feed: it has the document and its tag in memory and checks nothing.
process.once('message', (feed: BareFeed) => {
  const server = Fastify()
  server.get('/feed', (request, reply) => {
    void reply.headers(feed.headers)
    if (request.headers['if-none-match'] === feed.headers['etag']) return reply.code(304).send()
    return reply.send(feed.body)
  })
  void server.listen({ port: feed.port, host: '127.0.0.1' }).then(() => process.send?.('ready'))
})
