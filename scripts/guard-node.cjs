// Runs after `npm ci` and before every npm script. Uses Node 8 syntax because the installed Node may be old.
'use strict'

var childProcess = require('child_process')
var fs = require('fs')
var path = require('path')

var requiredMajor = 24
var afterInstall = process.env.npm_lifecycle_event === 'postinstall'

function isRecent(version) {
  return Number(version.replace('v', '').split('.')[0]) >= requiredMajor
}

// npm 10 removes the `.bin` links of packages for other platforms. All of these links have the same name, so npm also
// removes the link to the bundled Node, which this function restores.
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

// With `exec`, the shell of an npm script is replaced by Node, which therefore receives the signals that npm forwards.
// cmd.exe has no `exec` command, so npm scripts on Windows run this replacement in `.bin`.
function addExecForWindows() {
  var bin = path.join(__dirname, '..', 'node_modules', '.bin')
  if (fs.existsSync(bin)) fs.writeFileSync(path.join(bin, 'exec.cmd'), '@%*\r\n')
}

if (process.platform === 'win32') addExecForWindows()

if (!isRecent(process.version) && !linkBundledNode()) {
  console.error(
    'Quayside requires Node %d or newer, and this is Node %s. On Linux (x64, arm64), run `npm ci`, which installs it. ' +
      'On other systems, install it from https://nodejs.org. Then run the command again.',
    requiredMajor,
    process.versions.node,
  )
  if (!afterInstall) process.exit(1)
}
