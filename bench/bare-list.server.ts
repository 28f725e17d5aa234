import Fastify from 'fastify'
import pg from 'pg'
import type { BareList } from './bare-list.ts'

// This route shows the minimum cost of a list: it checks nothing and sends the JSON result of one prepared statement.
const { connection, text, values, port, name } = JSON.parse(process.argv[2] ?? '') as BareList
const pool = new pg.Pool({
  ...connection,
  max: 16,
  application_name: name,
  // Makes a generic plan read the page in index order, as the planner would do if it knew the parameter values.
  options: '-c plan_cache_mode=force_generic_plan -c enable_sort=off -c enable_bitmapscan=off',
})
const server = Fastify()
server.get('/builds', async (_, reply) => {
  const { rows } = await pool.query<{ json: string }>({ name: 'list', text, values: [...values] })
  return reply.type('application/json; charset=utf-8').send(rows[0]?.json)
})
await server.listen({ port, host: '127.0.0.1' })
