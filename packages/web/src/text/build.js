/** The sentences of the pages of a build. */
export const buildText = {
    trashed: {
        title: 'This build is in the trash',
        keptUntil: (time) => `It can be restored until ${time}. After that, its files are deleted permanently.`,
        notRestorable: 'Ask someone who can change builds to restore it.',
    },
    processing: {
        title: 'Reading the package',
        detail: 'Its name, version, signature and icon appear here in a moment. The build can already be downloaded.',
    },
    failed: {
        title: 'The package could not be read',
        detail: 'The file was stored as uploaded and can be downloaded, but nothing is known about its content.',
    },
    expiring: (stream, days) => days === null
        ? `The stream ${stream} moves it to the trash then.`
        : `The stream ${stream} keeps builds for ${days} days.`,
    notes: {
        empty: 'No notes yet. Say what testers should look at.',
        emptyReadonly: 'No notes.',
        help: 'Markdown works here.',
    },
    install: {
        scan: 'Scan to open this build on your phone',
        scanDetail: 'The page opens on the phone and offers the installation there.',
        bundle: 'Android cannot install an app bundle, and no universal APK was derived from it.',
    },
    noPackage: 'The service reads no details from files of this type.',
    signature: {
        valid: 'Valid: the content matches the signature',
        invalid: 'Invalid: the file was changed after it was signed',
        unsigned: 'Not signed',
        unknown: 'Signed, but not verified',
    },
    permissions: {
        none: 'The package requests no permissions.',
        sensitive: 'gives access to personal data or sensors',
    },
    profile: {
        expired: 'The provisioning profile has expired. Devices no longer start this build.',
        devices: (count) => `The profile contains ${count} registered ${count === 1 ? 'device' : 'devices'}. Only these can install the build.`,
    },
    verify: {
        drop: 'Drop a file to compare it with this build',
        dropDetail: 'The file is hashed in your browser and is not uploaded.',
        hint: 'Drop a file anywhere on this page to check whether it is a file of this build. It stays on your computer.',
        matches: (name) => `Matches ${name}`,
        differs: (name) => `Differs from ${name}`,
        differsDetail: 'The sizes are equal, but the SHA-256 checksums are not. The file was changed or damaged.',
        sizes: (expected, actual) => `${expected} expected, but the file has ${actual}.`,
        noChecksum: 'The checksum of the stored file is not known yet. Try again in a moment.',
    },
    files: {
        damaged: 'Damaged',
        noUniversal: 'There is no universal APK: bundletool is not configured on the server, or it could not read the bundle.',
    },
    artifacts: {
        emptyTitle: 'No artifacts',
        empty: 'Keep test reports, bills of materials, symbols and logs with the build. JUnit reports and CycloneDX or SPDX documents can be viewed here.',
        tooLong: (shown) => `Only the first ${shown} are shown. Download the file to see the rest.`,
        notText: 'This file cannot be shown as text. Download it to open it.',
        allPassed: 'Every test passed.',
        uploaded: (name) => `${name} was added to the build.`,
        deleteWarning: 'The file is deleted permanently. This cannot be undone.',
    },
    downloads: {
        emptyTitle: 'No downloads yet',
        empty: 'Every download is recorded here with its time, channel and address. Share the build to get the first.',
        latest: (count) => `Based on the ${count} most recent downloads.`,
    },
    compare: {
        emptyTitle: 'Nothing to compare with',
        empty: (platform) => `This is the first ${platform} build. Choose any other build of the application.`,
        same: 'The packages do not differ in anything that the service reads from them.',
        unread: 'The service could not read one of the packages, so signers, permissions and minimum versions are not compared.',
        noRisk: 'Nothing risky was found: same signer, no new sensitive permissions, no dropped devices.',
    },
    activity: {
        empty: 'No changes recorded.',
    },
    delete: {
        title: (version) => `Delete ${version}?`,
        held: 'It moves to the trash and can be restored. Until then, these no longer offer it:',
    },
};
