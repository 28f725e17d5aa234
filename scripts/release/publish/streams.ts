import type { CommandLine } from './command-line.ts'

/** The streams through which the builds of a release are promoted, in order. */
export const streams = [
  { name: 'nightly', description: 'Builds of releases that have not been tested yet', retention: '30' },
  { name: 'beta', description: 'Builds that have been installed on every platform', retention: 'none' },
  { name: 'stable', description: 'Builds of published releases', retention: 'none' },
] as const

export type Stream = (typeof streams)[number]['name']

export const isStream = (name: string): name is Stream => streams.some((stream) => stream.name === name)

/** Returns the position of a stream. Streams that are not part of the promotion come before all others. */
export const positionOf = (name: string): number => streams.findIndex((stream) => stream.name === name)

/** Creates the streams that the application does not have. */
export async function createStreams({ quayside }: CommandLine): Promise<void> {
  const existing = await quayside<{ name: string }[]>('streams', 'list')
  for (const { name, description, retention } of streams)
    if (!existing.some((stream) => stream.name === name))
      await quayside('streams', 'create', name, '--description', description, '--retention', retention)
}
