// Runs before every npm script, on whatever `node` is there: syntax that Node 8 can read.
'use strict'

var wanted = 24
var running = process.versions.node

if (Number(running.split('.')[0]) < wanted) {
  var packages = { 'linux x64': 1, 'linux arm64': 1, 'win32 x64': 1 }
  var brought = packages[process.platform + ' ' + process.arch] === 1
  console.error(
    brought
      ? 'Quayside runs on Node ' +
          wanted +
          ', which `npm ci` brings along, but this is Node ' +
          running +
          ': run `npm ci` again (without --omit=optional), then start it with an npm script, for example `npm start`.'
      : 'Quayside needs Node ' +
          wanted +
          ' or newer and this is Node ' +
          running +
          ': install it from https://nodejs.org, then run `npm ci` and the same command again.',
  )
  process.exit(1)
}
