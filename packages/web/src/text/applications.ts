import { plural } from '../ui/format/bytes.ts'

export const applicationText = {
  new: 'An application is a product that you distribute, on any number of platforms.',
  appears: 'It appears here as soon as you have access.',
  description: 'A sentence or two that tells this application apart.',
  icon: 'The icon comes from the first uploaded package that contains one. You can replace it in the settings.',
  platforms: 'Builds can be uploaded for these platforms. A platform with builds cannot be removed.',
  noPlatform: 'Select at least one platform.',
  readOnly: 'Only application admins can change these settings.',
  delete:
    'The application moves to the trash with its builds, releases and links. Links and downloads stop working at once. An owner or admin can restore it for a few days; then it is permanently deleted.',
  readOnlyNew: 'Only workspace owners and admins can create applications.',
  saved: 'Application saved.',
  platformsSaved: 'Platforms saved.',
  deletes: (builds: number, size: string) =>
    `${plural(builds, 'build')} (${size}) ${builds === 1 ? 'moves' : 'move'} to the trash.`,
  deleted: (name: string) => `${name} moved to the trash.`,
  restored: (name: string) => `${name} restored.`,
}
