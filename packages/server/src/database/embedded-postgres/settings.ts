/** Settings that hold whatever the cluster's own files say. */
export const serverSettings: Readonly<Record<string, string>> = {
  // reached by the socket in its own folder, which is its working directory, and by nothing else
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: '5432',
  max_connections: '100',

  // what the service acknowledged survives a power cut
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // bounds what has to be replayed after a crash: ready again within seconds
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
  // errors go to the caller; what they quote belongs in no file
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

export const settingArguments = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
