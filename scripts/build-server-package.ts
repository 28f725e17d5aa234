// Builds the server package for `npm pack` and `npm publish`: its code, what it serves, and the versions of its packages.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import './build-package.ts'
import './build.ts'
import { readLockfile, shrinkwrapOf } from './package/shrinkwrap.ts'
import { copySiteFiles } from './package/site-files.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages/server')
await copySiteFiles(root, join(folder, 'dist/site-files'))
const shrinkwrap = shrinkwrapOf(readLockfile(join(root, 'package-lock.json')), 'packages/server')
// npm installs these versions for everybody. Of the overrides in the root's package.json, a dependent knows nothing.
writeFileSync(join(folder, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrap, null, 2)}\n`)
