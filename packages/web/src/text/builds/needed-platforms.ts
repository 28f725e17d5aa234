import { listOf } from '../../ui/format/list.ts'

/** Not part of `uploadText`, which every page loads. */
export const neededPlatformText = {
  severalAccept: 'Several platforms of the application accept this type of file.',
  noneAccepts: (application: string, types: string) => `${application} accepts ${types}.`,
  askForPlatform: 'Ask an admin to add a platform that accepts this type of file.',
  platformsOf: (application: string) => `Platforms of ${application}`,
  addPlatform: 'Add to the application',
  platformsAdded: (platforms: readonly string[], application: string) =>
    `${listOf(platforms)} added to ${application}.`,
  /** The button that adds platforms to the application and uploads the files as the chosen ones. */
  uploadAs: (added: readonly string[], chosen: readonly string[], count: number) => {
    const start =
      added.length === 0
        ? `Upload${chosen.length === 1 ? ` as ${listOf(chosen)}` : ''}`
        : `Add ${listOf(added)}${added.length === 1 ? ' and' : ', then'} upload`
    return count === 1 ? start : `${start} all ${count}`
  },
}
