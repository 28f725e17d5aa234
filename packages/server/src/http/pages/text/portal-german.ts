import { html } from '../../../lib/html.ts'
import type { PortalText } from './portal-english.ts'

export const portalGerman: PortalText = {
  releases: 'Releases',
  changelog: 'Änderungen',
  latestBuilds: 'Neueste Builds',
  searchLabel: 'Releases durchsuchen',
  platform: 'Plattform',
  allPlatforms: 'Alle Plattformen',
  application: 'Anwendung',
  allApplications: 'Alle Anwendungen',
  show: 'Anzeigen',
  allDownloads: (count) => (count === 1 ? 'Details' : `Alle ${count} Downloads`),
  buildsOf: (stream) => `Alle Builds von ${stream}`,
  more: 'Ältere anzeigen',
  newest: 'Zurück zu den neuesten',
  moreStreams: 'Weitere anzeigen',
  firstStreams: 'Zurück zum Anfang',
  empty: {
    title: 'Noch nichts vorhanden',
    text: 'Releases erscheinen hier, sobald sie veröffentlicht sind.',
  },
  noMatch: {
    title: 'Nichts gefunden',
    text: 'Kein Release passt zu Suche und Filtern.',
    reset: 'Alles anzeigen',
  },
  noNotes: 'Keine Notizen.',
  noBuilds: 'In diesem Stream gibt es zurzeit keine Builds.',
  permalinks: 'Links, die gleich bleiben',
  permalinksHint: (latest) =>
    html`Für Skripte und Dokumentation. Mit ${latest} anstelle der Version führt ein Link zum neuesten Release
    für seine Plattform.`,
  feeds: 'Feeds',
  personalFeeds: 'Die Adressen der Feeds sind persönlich. Bitte geben Sie sie nicht weiter.',
  feedTitle: (portal) => `Releases von ${portal}`,
  signedInAs: (email) => html`Geöffnet als ${email}.`,
  signOut: 'Abmelden',
  signIn: {
    title: (portal) => `${portal} öffnen`,
    text: 'Diese Seite ist privat. Geben Sie Ihre E-Mail-Adresse ein, und Sie erhalten einen Code, der sie öffnet.',
    label: 'E-Mail-Adresse',
    submit: 'Code senden',
    invalidEmail: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    tooManyCodes: (retry) => `Es wurden zu viele Codes angefordert. ${retry}`,
    codeTitle: 'Code eingeben',
    codeText: (email, minutes) =>
      html`Falls ${email} diese Seite öffnen darf, ist eine E-Mail mit einem Code unterwegs. Der Code gilt
      ${minutes} Minuten, und nur in diesem Browser.`,
    codeLabel: 'Code',
    codeSubmit: 'Weiter',
    wrongCode: 'Der Code ist falsch. Versuchen Sie es noch einmal.',
    expired: 'Der Code kann nicht mehr verwendet werden. Fordern Sie einen neuen an.',
    otherEmail: 'Andere Adresse verwenden oder neuen Code anfordern',
  },
  toFrontPage: 'Alle Releases',
  notFound: {
    title: 'Unter dieser Adresse gibt es nichts',
    text: 'Das Release wurde vielleicht zurückgezogen, oder die Adresse ist unvollständig.',
  },
}
