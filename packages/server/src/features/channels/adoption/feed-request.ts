import type { FastifyRequest } from 'fastify'
import type { FeedAddress, PublishedFile } from '../adapters/adapter.ts'
import { findFormat } from '../adapters/formats.ts'
import type { LivePublication } from '../feeds/publications.ts'
import { other, readClientFacts, shapeOf, type ClientFacts } from './client-facts.ts'
import type { CountedRequest, Outcome } from './request-counts.ts'

/** How a request was answered. */
export type Served = { outcome?: Outcome; file?: PublishedFile }

type Found = { publication: LivePublication; address: FeedAddress }

/** Returns what is counted of a request that was answered. */
export function describeRequest(
  { publication, address }: Found,
  facts: ClientFacts,
  { outcome, file }: Served,
): CountedRequest {
  return {
    channelId: publication.state.id,
    format: formatOf({ publication, address }),
    ...facts,
    ...(file === undefined ? {} : { version: versionOfFile(publication, file) }),
    // Clients of Git and apt request the parts of a change one by one.
    outcome: address.path.some((segment) => segment === 'objects' || segment === 'by-hash')
      ? undefined
      : outcome,
  }
}

/** Returns what is counted of a request that failed with a status. */
export function describeFailure(
  { publication, address }: Found,
  request: Pick<FastifyRequest, 'headers'>,
  status: number,
): CountedRequest {
  const format = formatOf({ publication, address })
  return {
    channelId: publication.state.id,
    format,
    ...factsOf({ publication, address }, request),
    outcome: 'errors',
    error: { status, path: shapeOf(format === other ? [address.format, ...address.path] : address.path) },
  }
}

const formatOf = ({ publication, address: { format } }: Found): string =>
  publication.state.formats.includes(format) ? format : other

/** Returns what a request says about its client. */
export function factsOf(
  { publication, address }: Found,
  { headers }: Pick<FastifyRequest, 'headers'>,
): ClientFacts {
  const { state, knownVersions } = publication
  const adapter = formatOf({ publication, address }) === other ? undefined : findFormat(address.format)
  const userAgent = headers['user-agent']
  return readClientFacts(
    adapter ?? {},
    { ...address, userAgent },
    {
      applicationName: state.application_name,
      knownVersions,
    },
  )
}

function versionOfFile({ entries, knownVersions }: LivePublication, file: PublishedFile): string {
  const version = entries.find(({ files }) => files.includes(file))?.version
  return version === undefined || !knownVersions.has(version) ? other : version
}
