import { readFile } from 'node:fs/promises'
import { problem } from '../lib/problem.ts'

/** Returns the numeric ID of a group, given its name or ID. Throws if no group has the name. */
export async function requireGroupId(group: string, groupFile = '/etc/group'): Promise<number> {
  if (/^\d+$/.test(group)) return Number(group)
  const text = await readFile(groupFile, 'utf8').catch(() => '')
  const [, , id] =
    text
      .split('\n')
      .map((line) => line.split(':'))
      .find(([name]) => name === group) ?? []
  if (id !== undefined && /^\d+$/.test(id)) return Number(id)
  throw unknownGroup({ group, groupFile })
}

const unknownGroup = problem(
  'invalid',
  'config.unknown_group',
  'QUAYSIDE_STORAGE_GROUP is "{group}", but {groupFile} has no such group. Use the name of a group in that file, or a numeric group ID.',
)
