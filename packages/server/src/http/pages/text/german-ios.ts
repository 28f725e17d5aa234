import type { VisitorText } from './english.ts'

export const germanIos: VisitorText['ios'] = {
  install: 'Installieren',
  included: (device) => `Für dieses ${device} erstellt`,
  limited: 'Nur registrierte Geräte können diese App installieren.',
  check: (device) => `Dieses ${device} prüfen`,
  register: (device) => `Dieses ${device} registrieren`,
  registerShort: 'Registrieren',
  howToInstall: 'So installieren Sie die App',
  copyLink: 'Kopieren Sie diesen Link, und öffnen Sie ihn in Safari:',
  notIncluded: {
    title: (device) => `Dieses ${device} ist noch nicht enthalten`,
    text: 'Die App wurde für eine Liste von Geräten erstellt, auf der dieses fehlt. Registrieren Sie es, damit das Team einen Build erstellen kann, der es enthält.',
  },
  processing: {
    title: 'Dieser Build wird vorbereitet',
    text: 'Der Server liest die Datei noch. Laden Sie die Seite in einer Minute neu.',
  },
  insecure: {
    title: 'Diese Seite ist nicht sicher',
    text: 'iOS installiert Apps nur von Servern mit HTTPS. Bitten Sie die Person, die diese Seite geteilt hat, HTTPS einzurichten.',
  },
  storeOnly: {
    title: 'Nur für den App Store',
    text: 'Diese App ist für den App Store signiert und lässt sich nicht von einer Seite installieren. Bitten Sie die Person, die sie geteilt hat, um einen Ad-hoc-Build, oder verwenden Sie TestFlight.',
  },
  noProfile: {
    title: 'Diese Datei lässt sich nicht installieren',
    text: 'Sie hat kein Bereitstellungsprofil, ohne das iOS keine App installiert. Bitten Sie die Person, die sie geteilt hat, um einen signierten Build.',
  },
  otherBrowser: {
    title: 'Öffnen Sie diese Seite in Safari',
    text: 'Dieser Browser kann keine Apps installieren. Das kann nur Safari.',
  },
  expired: {
    title: 'Dieser Build ist abgelaufen',
    text: (date) =>
      `Sein Bereitstellungsprofil war bis zum ${date} gültig; iOS installiert und startet ihn nicht mehr. Bitten Sie die Person, die ihn geteilt hat, um einen neuen Build.`,
  },
  tooOld: {
    title: (minimum) => `Benötigt iOS ${minimum}`,
    text: (device, current) =>
      `Dieses ${device} hat iOS ${current}. Aktualisieren Sie es in den Einstellungen unter Allgemein, Softwareupdate, und öffnen Sie dann diese Seite erneut.`,
  },
  steps: {
    general: [
      'Tippen Sie auf Installieren, und bestätigen Sie die Frage.',
      'Wechseln Sie zum Home-Bildschirm. Dort erscheint die App und zeigt ihren Fortschritt.',
    ],
    enterprise: [
      'Wählen Sie in den Einstellungen Allgemein, dann VPN und Geräteverwaltung, dann den Entwickler, und vertrauen Sie ihm.',
      'Starten Sie das Gerät ab iOS 18 neu, wenn es danach fragt. Erst dann ist das Vertrauen wirksam.',
    ],
    development: [
      'Schalten Sie ab iOS 16 in den Einstellungen unter Datenschutz & Sicherheit den Entwicklermodus ein. Das Gerät startet neu.',
    ],
  },
  onIpad: 'Auf einem iPad? Installation anzeigen',
}
