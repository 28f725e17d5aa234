// Runs after `npm ci` and before every npm script. Uses Node 8 syntax because the installed Node may be old.
'use strict'

var childProcess = require('child_process')
var fs = require('fs')
var path = require('path')

var required = [24, 7]
var root = path.join(__dirname, '..')
var afterInstall = process.env.npm_lifecycle_event === 'postinstall'

function isRecent(version) {
  var parts = version.replace('v', '').split('.').map(Number)
  return parts[0] > required[0] || (parts[0] === required[0] && parts[1] >= required[1])
}

// Returns the bundled Node, or undefined if it does not run on this system. npm 10 removes the `.bin` links of packages
// for other platforms. All of these links have the same name, so npm also removes the link to the bundled Node, which this
// function restores.
function findBundledNode() {
  var bundled = path.join(
    root,
    'node_modules',
    'node-' + process.platform + '-' + process.arch,
    'bin',
    'node',
  )
  var link = path.join(root, 'node_modules', '.bin', 'node')
  try {
    if (!isRecent(String(childProcess.execFileSync(bundled, ['--version'])))) return undefined
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), bundled), link)
    return bundled
  } catch (error) {
    return undefined
  }
}

function isMusl() {
  if (process.platform !== 'linux' || !process.report) return false
  var report = process.report.getReport()
  return (typeof report === 'string' ? JSON.parse(report) : report).header.glibcVersionRuntime === undefined
}

// The shell of the npm script has already looked up `node`, so it would run the Node that runs npm.
function runAfterInstall(node) {
  var script = path.join(__dirname, 'after-install.ts')
  if (fs.existsSync(script)) childProcess.execFileSync(node, [script], { stdio: 'inherit' })
}

// With `exec`, the shell of an npm script is replaced by Node, which therefore receives the signals that npm forwards.
// cmd.exe has no `exec` command, so npm scripts on Windows run this replacement in `.bin`.
function addExecForWindows() {
  var bin = path.join(root, 'node_modules', '.bin')
  if (fs.existsSync(bin)) fs.writeFileSync(path.join(bin, 'exec.cmd'), '@%*\r\n')
}

if (process.platform === 'win32') addExecForWindows()

var node = isRecent(process.version) ? process.execPath : findBundledNode()
if (node === undefined) {
  console.error(
    'Quayside requires Node %s or newer, and this is Node %s. %s. Then run the command again.',
    required.join('.'),
    process.versions.node,
    isMusl()
      ? 'The Node that `npm ci` installs requires glibc, and this system uses musl, so install Node with the package ' +
          'manager of the system, or use the container image (docs/containers.md)'
      : 'On Linux (x64, arm64), run `npm ci`, which installs it. On other systems, install it from https://nodejs.org',
  )
  if (!afterInstall) process.exit(1)
} else if (afterInstall) {
  try {
    runAfterInstall(node)
  } catch (error) {
    // The script has reported why.
    process.exit(1)
  }
}
