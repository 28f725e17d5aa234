import { readFileSync, writeFileSync } from 'node:fs'
import { packageFile, run } from './programs.ts'

/** Signed executables from npm packages. Only `signtool` has a version, and only `snoretoast` has an icon. */
export const publishedExecutables = {
  signtool: packageFile('@electron/windows-sign/vendor/signtool.exe'),
  snoretoast: packageFile('node-notifier/vendor/snoreToast/snoretoast-x86.exe'),
}

const source = (name: string) => `<?xml version="1.0" encoding="utf-8"?>
<Wix xmlns="http://schemas.microsoft.com/wix/2006/wi">
  <Product Id="*" Name="${name}" Language="1033" Version="3.4.5" Manufacturer="Example Ltd"
    UpgradeCode="11111111-2222-3333-4444-555555555555">
    <Package InstallerVersion="200" Compressed="yes"/>
    <Media Id="1" Cabinet="a.cab" EmbedCab="yes"/>
    <Directory Id="TARGETDIR" Name="SourceDir">
      <Component Id="C1" Guid="11111111-2222-3333-4444-555555555556"><File Id="F1" Source="sample.wxs"/></Component>
    </Directory>
    <Feature Id="F"><ComponentRef Id="C1"/></Feature>
  </Product>
</Wix>`

/** Builds the Windows installer sample.msi with wixl and returns its bytes. */
export function buildInstaller(path: (name: string) => string, name: string): Buffer {
  writeFileSync(path('sample.wxs'), source(name))
  run('sh', ['-c', 'cd "$0" && wixl --arch x64 -o sample.msi sample.wxs', path('.')])
  return readFileSync(path('sample.msi'))
}
