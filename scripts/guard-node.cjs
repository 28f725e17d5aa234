// Runs after `npm ci` and before every npm script, on whatever `node` is there: syntax that Node 8 can read.
'use strict'

var childProcess = require('child_process')
var fs = require('fs')
var path = require('path')

var wanted = 24
var afterInstall = process.env.npm_lifecycle_event === 'postinstall'

function isRecent(version) {
  return Number(version.replace('v', '').split('.')[0]) >= wanted
}

// npm 10 removes the link of the Node that it has installed, together with the links of the packages for the
// other platforms, because they all have the same name.
function linkBundledNode() {
  var modules = path.join(__dirname, '..', 'node_modules')
  var bundled = path.join(modules, 'node-' + process.platform + '-' + process.arch, 'bin', 'node')
  var link = path.join(modules, '.bin', 'node')
  try {
    if (!isRecent(String(childProcess.execFileSync(bundled, ['--version'])))) return false
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), bundled), link)
    return true
  } catch (error) {
    return false
  }
}

if (!isRecent(process.version) && !linkBundledNode()) {
  console.error(
    'Quayside needs Node %d or newer and this is Node %s: on Linux (x64, arm64) `npm ci` brings the right one ' +
      'along, so run that; elsewhere install it from https://nodejs.org; then run the same command again.',
    wanted,
    process.versions.node,
  )
  if (!afterInstall) process.exit(1)
}
