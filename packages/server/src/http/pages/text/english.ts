import { html, type Fragment } from '../../../lib/html.ts'
import { englishDevices } from './english-devices.ts'
import { englishIos } from './english-ios.ts'
import { englishFeedback } from './feedback-text.ts'
import { portalEnglish } from './portal-english.ts'

const openFile = 'When the download is complete, open the file.'
const windowsInstaller = [
  openFile,
  'If Windows protects your PC, choose More info, check the publisher, and then choose Run anyway.',
  'Follow the steps of the installer.',
]
const inTerminal = 'In a terminal, go to the folder of the download.'

/** Every sentence of the pages for visitors. Other languages have the same keys. */
export const english = {
  language: 'en',
  locale: 'en-US',
  footer: 'Shared with Quayside',
  requestId: 'Request ID:',
  retry: {
    later: 'Try again later.',
    seconds: (count: number) => `Try again in ${count === 1 ? '1 second' : `${count} seconds`}.`,
    minutes: (count: number) => `Try again in ${count} minutes.`,
    hours: (count: number) => `Try again in ${count} hours.`,
  },
  /** `message` is that of the API, which is in English. */
  errors: {
    notFound: {
      title: 'Page not found',
      text: 'There is nothing at this address. Check that the address is complete.',
    },
    gone: { title: 'No longer available', text: (message: string) => message },
    denied: { title: 'Access denied', text: (message: string) => message },
    rejected: { title: 'The request was rejected', text: (message: string) => message },
    tooMany: {
      title: 'Too many requests',
      text: (retry: string) => `Your network has sent too many requests. ${retry}`,
    },
    busy: { title: 'Temporarily unavailable', text: (retry: string) => `The service is busy. ${retry}` },
    outOfSpace: {
      title: 'Temporarily unavailable',
      text: 'The server has no disk space left. Try again later.',
    },
    internal: {
      title: 'Something went wrong',
      text: 'The server could not complete the request. Try again later.',
    },
    starting: {
      title: 'The service is starting',
      text: 'This takes a few seconds. Reload the page shortly.',
    },
  },
  storage: {
    general: { title: 'Download not possible', text: (message: string) => message },
    byCode: {
      'storage.url_expired': {
        title: 'This download has expired',
        text: 'Go back to the page of the download and start it again.',
      },
      'storage.bad_signature': {
        title: 'This link does not work',
        text: 'The link may be incomplete. Go back to the page of the download and start it again.',
      },
    },
  },
  shareLink: {
    'resource.not_found': {
      title: 'This link does not work',
      text: 'The link may be incomplete, or what it shared was deleted. Check that you opened the whole link, or ask for a new one.',
    },
    'share_link.revoked': {
      title: 'This link was revoked',
      text: 'The person who shared it turned it off. Ask them for a new link.',
    },
    'share_link.expired': {
      title: 'This link has expired',
      text: 'It could be used only for a limited time. Ask the person who shared it for a new link.',
    },
    'share_link.used_up': {
      title: 'No downloads left',
      text: 'This link has reached its download limit. Ask the person who shared it for a new link.',
    },
    'share_link.release_withdrawn': {
      title: 'This release was withdrawn',
      text: 'It cannot be downloaded at the moment. The link works again if the release is published again.',
    },
  },
  groupLink: {
    'resource.not_found': {
      title: 'This link does not work',
      text: 'The link may be incomplete. Check that you opened the whole link from the email.',
    },
    'group_link.release_deleted': {
      title: 'This release was deleted',
      text: 'It can no longer be downloaded. Ask the person who sent it for another one.',
    },
    'group_link.application_deleted': {
      title: 'This application was deleted',
      text: 'Its releases can no longer be downloaded. Ask the person who sent it to restore it.',
    },
    'group_link.release_withdrawn': {
      title: 'This release was withdrawn',
      text: 'It is no longer shared. The link works again if the release is shared again.',
    },
    'group_link.not_a_member': {
      title: 'You are no longer in the group',
      text: 'This release is shared only with members of a group. Ask the person who sent it to add you again.',
    },
    'group_link.group_inactive': {
      title: 'The group is inactive',
      text: 'This release is not available at the moment. Ask the person who sent it to activate the group.',
    },
  },
  portal: portalEnglish,
  personalLink: 'This link is personal. Please do not share it.',
  password: {
    title: 'Enter the password',
    text: 'This download is protected. The person who shared it can tell you the password.',
    label: 'Password',
    submit: 'Continue',
    missing: 'Enter the password.',
    wrong: 'The password is incorrect. Try again.',
    tooMany: (retry: string) => `Too many incorrect passwords. ${retry}`,
  },
  download: {
    nothing: 'There is nothing to download at the moment. Try again later.',
    sharedBy: 'Shared by',
    expires: 'Expires',
    onDate: (date: string) => `on ${date}`,
    withinAMinute: 'in less than a minute',
    downloadsLeft: 'Downloads left',
    noDownloadsLeft: 'No downloads left',
    whatsNew: 'What’s new',
    download: 'Download',
    downloadFor: (platform: string) => `Download for ${platform}`,
    downloadFile: (filename: string) => `Download ${filename}`,
    howToInstall: 'How to install',
    files: 'Files',
    choosePlatform: 'Choose your platform',
    otherFiles: 'Other files of this build',
    otherDownloads: 'Other downloads',
    moreFiles: (count: number) => `${count} more files`,
    onlyBundle:
      'Android devices cannot install this build: it is an app bundle (AAB), from which an app store creates the APKs for each device. Ask the person who shared it for an APK.',
    otherDevice: (platform: string, device: string) =>
      `This file is for ${platform}, and you are using ${device}. Open this page on the device where you want to install it.`,
    devices: {
      android: 'an Android device',
      ios: 'an iPhone or iPad',
      windows: 'a Windows computer',
      macos: 'a Mac',
      linux: 'a Linux computer',
      unknown: 'this device',
    },
    expansionFile: (platform: string) => `Expansion file for ${platform}`,
    universalApk: 'APK for every device',
  },
  ios: englishIos,
  devices: englishDevices,
  feedback: englishFeedback,
  facts: {
    requires: 'Requires',
    orNewer: (system: string) => `${system} or newer`,
    architectures: 'Architectures',
    signature: 'Signature',
    signedBy: 'Signed by',
    signedByName: (name: string) => `Signed by ${name}`,
    unverifiedName: '(unverified name)',
    unreadSignature: 'Signature not checked',
    signatures: {
      valid: { text: 'Matches the file', line: 'Signed' },
      invalid: { text: 'Invalid: changed after signing', line: 'Signature invalid' },
      unsigned: { text: 'Not signed', line: 'Not signed' },
      unknown: { text: 'Not verified', line: 'Signature not verified' },
    },
  },
  verify: {
    title: 'Files and checksums',
    phoneTitle: 'Verify the download',
    byCommand: (output: Fragment) =>
      html`A command downloads its file to the folder in which you run it. To resume an interrupted download,
      run it again. It ends with ${output} if the file is intact.`,
    byChecksum: 'A file is intact if it has this SHA-256 checksum.',
    terminal: 'Terminal',
    pending: 'The checksum is being computed. Reload the page in a minute.',
    counted: 'All commands for the files of a build count as one download, even if you run them again.',
    limitedTime:
      'It needs no password, but must be started within 15 minutes; after that, reload this page for another one.',
  },
  phone: {
    title: 'Open on your phone',
    text: 'Scan the code with the camera of the phone on which you want to install the app.',
  },
  obstacles: {
    system: (needed: string, current: string) =>
      `This build requires ${needed}. Your device has ${current} and cannot install it.`,
    only32Bit:
      'This build is only for 32-bit ARM processors. Recent phones that run only 64-bit apps cannot install it.',
    noArm: (architectures: string) =>
      `This build is only for ${architectures}. Nearly all phones have an ARM processor and cannot install it.`,
    lowerVersion: (version: string) =>
      `This build is older than ${version}. A phone that has ${version} must uninstall it first, which deletes the data of the app.`,
    otherSigner: (version: string) =>
      `This build is signed with another key than ${version}. A phone that has ${version} must uninstall it first, which deletes the data of the app.`,
    splitPackage:
      'This file contains several APKs. Android cannot install it without an installer app, such as SAI. Ask the person who shared it for a universal APK if you do not have one.',
  },
  install: {
    splitPackage: [
      'When the download is complete, open an installer app for split APKs, such as SAI.',
      'Choose the file in the app, and allow the app to install unknown apps.',
      'Tap Install.',
    ],
    byPlatform: {
      linux: {
        appimage: [
          'Make the file executable: in its properties, or with chmod +x.',
          'Open the file. It runs without installation.',
        ],
        deb: [inTerminal, 'Run sudo apt install ./ followed by the file name.'],
        rpm: [inTerminal, 'Run sudo dnf install ./ followed by the file name.'],
      },
      android: {
        apk: [
          openFile,
          'On Android 8 and newer, your phone asks once whether the browser may install unknown apps. Tap Settings, allow it for your browser (such as Chrome), and go back.',
          'Tap Install, or Update. If Play Protect asks, choose to install anyway only if you trust the sender.',
        ],
      },
      ios: {
        ipa: [
          'On the iPhone or iPad, open this page in Safari, and tap Install.',
          'Or download the file on a Mac, connect the device, and open Apple Configurator or the Devices window of Xcode.',
          'Drag the file onto the device.',
        ],
      },
      macos: {
        dmg: [
          openFile,
          'Drag the application to the Applications folder.',
          'If macOS blocks the application, open System Settings, choose Privacy & Security, and then Open Anyway.',
        ],
        pkg: [
          openFile,
          'Follow the steps of the installer.',
          'If macOS blocks the package, open System Settings, choose Privacy & Security, and then Open Anyway.',
        ],
      },
      windows: { exe: windowsInstaller, msi: windowsInstaller, msix: [openFile, 'Choose Install.'] },
    },
  },
  notificationEmails: {
    title: 'Emails about notifications',
    unsubscribedTitle: 'You are unsubscribed',
    subscribed: (email: Fragment, workspace: Fragment) =>
      html`${email} gets emails about notifications in ${workspace}. Without these emails, notifications are
      still in the inbox.`,
    unsubscribed: (email: Fragment, workspace: Fragment) =>
      html`${email} gets no more emails about notifications in ${workspace}. Notifications are still in the
      inbox.`,
    unsubscribe: 'Unsubscribe',
    subscribe: 'Subscribe again',
    notFound: {
      title: 'This link does not work',
      text: 'The link may be incomplete, or you have left the workspace. In that case you get no more emails from it.',
    },
  },
  subscription: {
    title: 'Emails about releases',
    unsubscribedTitle: 'You are unsubscribed',
    subscribed: (email: Fragment, group: Fragment) =>
      html`${email} gets an email when a release is shared with the group ${group}. The releases stay
      available to you without these emails.`,
    unsubscribed: (email: Fragment, group: Fragment) =>
      html`${email} gets no more emails about releases for the group ${group}. Links from earlier emails still
      work.`,
    frequency: 'How often',
    digests: {
      none: 'One email per release',
      daily: 'Daily summary',
      weekly: 'Weekly summary',
    },
    save: 'Save',
    saved: 'Saved.',
    unsubscribe: 'Unsubscribe',
    subscribe: 'Subscribe again',
    notFound: {
      title: 'This link does not work',
      text: 'The link may be incomplete, or you are no longer in the group. In that case you get no more emails from it.',
    },
  },
}

export type VisitorText = typeof english
