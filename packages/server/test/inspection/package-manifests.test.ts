import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { publishedIcon } from './android-packages.ts'
import { appxFile, nupkgFile } from './archive-packages.ts'
import { packageInfo } from './inspect-bytes.ts'
import { missing, runText, temporaryFolder } from './programs.ts'

test(
  'agrees with Python on the manifests of app packages and NuGet packages',
  { skip: missing('python3', 'unzip') },
  async () => {
    using folder = temporaryFolder()
    const icon = publishedIcon()
    writeFileSync(folder.path('a.msix'), appxFile(icon))
    writeFileSync(folder.path('a.nupkg'), nupkgFile(icon))
    const script = `import json, sys, zipfile, xml.etree.ElementTree as xml
def read(path, suffix):
    archive = zipfile.ZipFile(path)
    return xml.fromstring(archive.read(next(n for n in archive.namelist() if n.endswith(suffix))))
appx, nuspec = read(sys.argv[1], 'AppxManifest.xml'), read(sys.argv[2], '.nuspec')
text = lambda tree, name: tree.findtext('.//{*}' + name)
names = lambda tree, name, keys: [' '.join(e.get(k) for k in keys) for e in tree.iterfind('.//{*}' + name)]
identity = appx.find('{*}Identity')
print(json.dumps([
    [text(appx, 'DisplayName'), identity.get('Version'), text(appx, 'PublisherDisplayName'),
     appx.find('.//{*}TargetDeviceFamily').get('MinVersion'), names(appx, 'PackageDependency', ['Name'])],
    [text(nuspec, 'id'), text(nuspec, 'version'), text(nuspec, 'authors'), None,
     list(dict.fromkeys(names(nuspec, 'dependency', ['id', 'version'])))]]))`
    const expected: unknown = JSON.parse(
      runText('python3', ['-c', script, folder.path('a.msix'), folder.path('a.nupkg')]),
    )
    const found = []
    for (const name of ['a.msix', 'a.nupkg']) {
      const info = await packageInfo(readFileSync(folder.path(name)))
      found.push([info.name, info.version, info.publisher, info.minimum_os, info.dependencies])
    }
    assert.deepEqual(found, expected)
  },
)
