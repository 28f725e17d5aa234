import { readDomainName } from '../net/domain-name.ts'
import type { SettingReader } from './setting-reader.ts'

/** The path below which a channel serves a format, such as `/u/23456789ab/hazel`, by the host name of an old update server. */
export type UpdateHosts = ReadonlyMap<string, string>

const entryPattern = /^([^=]+)=([23456789a-z]{10})\/([a-z-]{1,40})$/

function readEntry(entry: string): [string, string] | undefined {
  const [, host = '', channel, format] = entryPattern.exec(entry) ?? []
  const name = readDomainName(host)
  return name === undefined ? undefined : [name, `/u/${channel}/${format}`]
}

/** Reads the host names of update servers that this server replaces. */
export const readUpdateHosts = ({ list }: Pick<SettingReader, 'list'>): UpdateHosts =>
  new Map(
    list(
      'QUAYSIDE_UPDATE_HOSTS',
      (entry) => readEntry(entry) !== undefined,
      'host names with a channel ID and a format, such as updates.example.com=4k7mz2qd9w/hazel',
    ).flatMap((entry) => {
      const found = readEntry(entry)
      return found === undefined ? [] : [found]
    }),
  )
