/** Settings that override the configuration files of the cluster. */
export const serverSettings: Readonly<Record<string, string>> = {
  // The server listens only on a socket in its working directory, the data folder.
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: '5432',
  max_connections: '100',

  // Committed changes survive a power failure.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Limits the WAL to replay after a crash, so that the server is ready again within seconds.
  max_wal_size: '512MB',
  checkpoint_timeout: '2min',

  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',

  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors are returned to the client and not logged, because they can quote values that must not be written to a file.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

export const settingArguments = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
