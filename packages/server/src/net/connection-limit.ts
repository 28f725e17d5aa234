import { readFile } from 'node:fs/promises'

// Descriptors reserved for database connections, logs, worker threads, folders that are being synced, and the listener.
const reservedDescriptors = 128
const minConnections = 16

/**
 * Returns the maximum number of client connections, which leaves file descriptors for the database and for one file per
 * connection. Returns undefined if descriptors are not limited or the system has no /proc.
 */
export async function maxConnections(limitsFile = '/proc/self/limits'): Promise<number | undefined> {
  const limits = await readFile(limitsFile, 'utf8').catch(() => '')
  const openFiles = /^Max open files +(\d+)/m.exec(limits)?.[1]
  if (openFiles === undefined) return undefined
  return Math.max(minConnections, Math.floor((Number(openFiles) - reservedDescriptors) / 2))
}
