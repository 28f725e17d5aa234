import pg from 'pg'

/** Connects to the database until `use` has ended. */
export async function withClient(
  connectionString: string,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}
