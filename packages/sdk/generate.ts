// Writes src/generated from openapi.json. With --check, it only reports whether the files are up to date.
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Document } from './src/generator/operations.ts'
import { responseFieldsSource } from './src/generator/response-fields.ts'
import { sdkSource } from './src/generator/source.ts'

const packageFolder = fileURLToPath(new URL('.', import.meta.url))

function format(source: string): string {
  // `npm run generate` installs it.
  const oxfmt = `${packageFolder}../../scripts/tools/check/node_modules/oxfmt/bin/oxfmt`
  // oxfmt is configured to ignore the generated files, so the source is formatted under another path.
  const filepath = `--stdin-filepath=${packageFolder}src/api.ts`
  return execFileSync(process.execPath, [oxfmt, filepath], {
    input: source,
    encoding: 'utf8',
    cwd: packageFolder,
    maxBuffer: 64 * 1024 * 1024,
  })
}

const document = JSON.parse(await readFile(`${packageFolder}../../openapi.json`, 'utf8')) as Document
const files = {
  'api.ts': sdkSource(document),
  'response-fields.ts': responseFieldsSource(document),
}
for (const [name, unformatted] of Object.entries(files)) {
  const source = format(unformatted)
  const target = `${packageFolder}src/generated/${name}`
  if (!process.argv.includes('--check')) await writeFile(target, source)
  else if (source !== (await readFile(target, 'utf8').catch(() => ''))) {
    process.stderr.write(
      `packages/sdk/src/generated/${name} is out of date. Run \`npm run generate\` and commit the result.\n`,
    )
    process.exitCode = 1
  }
}
