import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInstalled, toolPath } from '../../../../scripts/tools/tool-sets.ts'
import { androidFramework, packageFile, run } from './programs.ts'

/** Signed APKs from npm packages, by signature scheme. */
export const publishedApks = {
  v2: packageFile('io.appium.settings/apks/settings_apk-debug.apk'),
  v3: toolPath('samples', 'appium-uiautomator2-server/apks/appium-uiautomator2-server-debug-androidTest.apk'),
}

/** Why tests with the APK that has a v3 signature are skipped, or false if it is installed. */
export const missingSamples = !isInstalled('samples') && '`npm run install-tools` installs the APK'

const resources = {
  'values/strings.xml': `<resources>
    <string name="label">Quayside Sample</string>
    <string name="alias">@string/label</string>
    <string name="version">2.3.4-rc.1</string>
    <bool name="debuggable">true</bool>
  </resources>`,
  'values-de/strings.xml': '<resources><string name="label">Beispiel</string></resources>',
  'mipmap-anydpi-v26/launcher.xml': `<adaptive-icon xmlns:android="http://schemas.android.com/apk/res/android">
    <background android:drawable="@android:color/white"/>
    <foreground android:drawable="@drawable/foreground"/>
  </adaptive-icon>`,
}

const manifest = `<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.quay"
    android:versionCode="7" android:versionCodeMajor="1" android:versionName="@string/version">
  <uses-sdk android:minSdkVersion="24" android:targetSdkVersion="29"/>
  <uses-permission android:name="android.permission.CAMERA"/>
  <uses-permission android:name="android.permission.INTERNET"/>
  <uses-permission android:name="android.permission.CAMERA"/>
  <uses-permission-sdk-23 android:name="android.permission.BLUETOOTH"/>
  <application android:label="@string/alias" android:icon="@mipmap/launcher" android:debuggable="@bool/debuggable"/>
</manifest>`

/**
 * Builds an unsigned APK with aapt2. The values in its manifest refer to resources, and its adaptive icon has the PNG
 * image as foreground.
 */
export function buildApk(path: (name: string) => string, icon: Buffer, minimumApi = 24): string {
  for (const [name, content] of Object.entries({ ...resources, 'drawable-xhdpi/foreground.png': icon })) {
    const file = path(`res/${name}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  writeFileSync(
    path('AndroidManifest.xml'),
    manifest.replace('minSdkVersion="24"', `minSdkVersion="${minimumApi}"`),
  )
  run('aapt2', ['compile', '-o', path('compiled.zip'), '--dir', path('res')])
  const apk = path('unsigned.apk')
  const input = ['-I', androidFramework, '--manifest', path('AndroidManifest.xml'), path('compiled.zip')]
  run('aapt2', ['link', '-o', apk, ...input])
  return apk
}

/** Returns a PNG image from a published APK. */
export function publishedIcon(): Buffer {
  return run('unzip', ['-p', publishedApks.v2, 'res/drawable-hdpi-v4/ic_launcher.png'])
}

/** Converts an APK into an app bundle, which contains the same data in protobuf format and in different folders. */
export function buildBundle(path: (name: string) => string, apk: string): Buffer {
  run('aapt2', ['convert', '--output-format', 'proto', '-o', path('proto.apk'), apk])
  run('mkdir', ['-p', path('bundle/base/manifest'), path('bundle/base/lib/arm64-v8a')])
  run('unzip', ['-q', path('proto.apk'), '-d', path('bundle/base')])
  run('mv', [path('bundle/base/AndroidManifest.xml'), path('bundle/base/manifest/')])
  writeFileSync(path('bundle/base/lib/arm64-v8a/libmain.so'), '')
  run('sh', ['-c', 'cd "$0" && zip -qr ../sample.aab .', path('bundle')])
  return readFileSync(path('sample.aab'))
}
