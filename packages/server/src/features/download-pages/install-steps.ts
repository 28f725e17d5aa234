/** Returns how to install a file on a platform, step by step; empty if there is nothing to explain. */
export function installSteps(platform: string, filename: string): string[] {
  const ending = /\.(\w+)$/.exec(filename.toLowerCase())?.[1] ?? ''
  return stepsByPlatform[platform]?.[ending] ?? linuxSteps[ending] ?? []
}

const openFile = 'When the download is complete, open the file.'

const linuxSteps: Record<string, string[] | undefined> = {
  appimage: [
    'Make the file executable: in its properties, or with chmod +x.',
    'Open the file. It runs without installation.',
  ],
  deb: [
    'In a terminal, go to the folder of the download.',
    'Run sudo apt install ./ followed by the file name.',
  ],
  rpm: [
    'In a terminal, go to the folder of the download.',
    'Run sudo dnf install ./ followed by the file name.',
  ],
}

const windowsSteps = [
  openFile,
  'If Windows protects your PC, choose More info, check the publisher, and then choose Run anyway.',
  'Follow the steps of the installer.',
]

const stepsByPlatform: Record<string, Record<string, string[]> | undefined> = {
  android: {
    apk: [
      openFile,
      'If Android asks, allow your browser to install unknown apps, and then go back.',
      'Tap Install. If Play Protect asks, choose to install anyway only if you trust the sender.',
    ],
  },
  ios: {
    ipa: [
      'An iPhone or iPad cannot install this file by itself. Download it on a Mac.',
      'Connect the device to the Mac.',
      'Open Apple Configurator or the Devices window of Xcode, and drag the file onto the device.',
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
  windows: { exe: windowsSteps, msi: windowsSteps, msix: [openFile, 'Choose Install.'] },
}
