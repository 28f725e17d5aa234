import { listOf } from '../../ui/format/list.ts'

export const uploadText = {
  enterVersion: 'Enter the version.',
  invalidVersion: 'Enter a version such as 1.2.3, 1.2.3-rc.1 or 1.2.3+meta.',
  dropHere: (application: string) => `Drop builds here to upload them to ${application}`,
  chooseFor: (application: string) => `Choose builds to upload to ${application}`,
  dropHint: (types: string, withFolders: boolean) =>
    `Accepts ${types}, up to 500 GB each.${withFolders ? ' Folders are uploaded as ZIP archives.' : ''}`,
  emptyFile: 'The file is empty. Choose a file that contains a build.',
  cannotDrop: 'You do not have permission to upload here',
  dropTo: (application: string) => `Drop to upload to ${application}`,
  emptyFolder: (name: string) =>
    `${name} contains no files to upload. Check the folder and its .quaysideignore.`,
  invalidName: (name: string, problem: string) =>
    `The name of ${name} ${problem}. Rename it, or list it in .quaysideignore.`,
  added: (files: string, application: string) => `Uploading ${files} to ${application}.`,
  needsPlatform: (files: string) => `Choose a platform for ${files}`,
  needsApplication: (files: string) => `Choose an application for ${files}`,
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
  otherFile: (filename: string) => `This is a different file. Choose the unchanged ${filename}.`,
  otherFolder: (name: string) => `This is a different folder. Choose the unchanged ${name}.`,
  fileGone: 'The file has changed or was moved since it was chosen. Choose it again to start over.',
  blocked:
    'The application storage has changed since this page was opened. Reload the page and choose the file again to resume the upload.',
  noApplications: 'Create an application to upload builds to it.',
  noPermission: 'You cannot upload to any application. Ask an owner or admin for the developer role.',
  canceled: (filename: string) => `Upload of ${filename} canceled.`,
  shareCopied: 'Share link created and copied. Anyone who has it can download the build.',
  phase: {
    reading: 'Reading the file',
    waiting: 'Waiting',
    uploading: 'Uploading',
    retrying: 'Connection lost',
    offline: 'You are offline. The upload continues when you are online again.',
    paused: 'Paused',
    'needs-permission': 'Interrupted',
    'needs-file': 'Interrupted. Choose the file again to resume.',
    'needs-application': 'Choose an application to start the upload.',
    'needs-platform': 'Needs a platform',
    elsewhere: 'Uploading in another tab',
    incomplete: 'Uploaded. Complete the fields to finish.',
    verifying: 'Finishing',
    done: 'Uploaded',
    failed: 'Failed',
  },
  readingFolder: 'Reading the folder',
  chooseFolderAgain: 'Interrupted. Choose the folder again to resume.',
  setForAll: (count: number) => `Set for all ${count} uploads`,
  setForAllHint: 'Changes apply to the files that were added together. Edit a row to override a value.',
  different: 'Different values',
  addNotes: 'Add notes',
  notesExample: 'Markdown is supported.',
  saved: 'Changes saved',
  unsaved: 'Unsaved changes',
  filesOf: (done: number, total: string) => `${done.toLocaleString('en-US')} of ${total}`,
  bytesOf: (sent: string, total: string) => `${sent} of ${total}`,
  editing: 'Uploaded. Finishes when you leave the field.',
  retryingIn: (seconds: number) => `Trying again in ${seconds} s`,
  storageStatus: (status: number) => `Storage responded with status ${status}.`,
}
