import type { Plugin } from 'vite'

/** Writes `version.json`, with which an open page finds out whether the server has a newer version of the console. */
export function versionFile(): Plugin {
  return {
    name: 'version-file',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const entry = Object.values(bundle).find((output) => output.type === 'chunk' && output.isEntry)
        if (entry === undefined) throw new Error('The console has no first script.')
        this.emitFile({
          type: 'asset',
          fileName: 'version.json',
          source: JSON.stringify({ script: entry.fileName }),
        })
      },
    },
  }
}
