import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mailCatalogue } from '../packages/server/src/http/mails/catalogue.ts'

// node scripts/mails.ts [folder]   writes a sample of every email, and a page that shows them all
const folder = resolve(process.argv[2] ?? 'data-demo/mails')
mkdirSync(folder, { recursive: true })
const frames = Object.entries(mailCatalogue).map(([name, mail]) => {
  const { subject, text, html } = mail.renderSample()
  writeFileSync(join(folder, `${name}.html`), html)
  writeFileSync(join(folder, `${name}.txt`), `Subject: ${subject}\n\n${text}`)
  const views = [
    `<iframe src="${name}.html" width="640" height="760"></iframe>`,
    `<iframe src="${name}.html" width="390" height="760"></iframe>`,
    `<iframe src="${name}.txt" width="560" height="760"></iframe>`,
  ]
  return `<h2>${name}: ${subject}</h2>${views.join('\n')}`
})
const page = join(folder, 'index.html')
writeFileSync(page, `<!doctype html><meta charset="utf-8"><title>Emails</title>${frames.join('\n')}`)
console.log(pathToFileURL(page).href)
