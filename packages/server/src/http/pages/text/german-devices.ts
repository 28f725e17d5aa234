import type { VisitorText } from './english.ts'

export const germanDevices: VisitorText['devices'] = {
  title: (device) => `Dieses ${device} registrieren`,
  titleElsewhere: 'iPhone oder iPad registrieren',
  purpose:
    'Das Team nimmt das Gerät in seine Liste auf und erstellt einen Build, der es enthält. Ein kleines Profil liest die Kennung des Geräts (UDID), und iOS entfernt das Profil sofort wieder.',
  steps: [
    'Laden Sie das Profil, und tippen Sie auf Zulassen.',
    'Öffnen Sie die Einstellungen, und tippen Sie oben auf Profil geladen.',
    'Tippen Sie auf Installieren. Safari kehrt dann zu dieser Seite zurück.',
  ],
  loadProfile: 'Profil laden',
  privacy: 'Das Team erhält die Kennung, das Modell und die Version von iOS, sonst nichts.',
  insecure: 'iOS öffnet Profile nur von Servern mit HTTPS. Sie können stattdessen die Kennung eingeben.',
  otherBrowser: 'Nur Safari öffnet das Profil. Sie können auch die Kennung eingeben.',
  enter: 'Stattdessen die Kennung eingeben',
  whereToFind:
    'Wählen Sie das Gerät auf einem Mac im Finder aus, und klicken Sie auf die Zeile unter dem Namen, bis sie die UDID zeigt.',
  udid: 'Kennung (UDID)',
  invalid: 'Geben Sie 40 hexadezimale Ziffern ein, oder 8 und 16 Ziffern mit einem Bindestrich dazwischen.',
  submit: 'Registrieren',
  registered: (device) => `Dieses ${device} ist registriert`,
  registeredElsewhere: 'Das Gerät ist registriert',
  waiting:
    'Das Team sieht es nun in seiner Liste. Öffnen Sie die Seite wieder, wenn es einen Build gibt, der es enthält.',
  included: 'Dieser Build enthält es bereits, Sie können die App also installieren.',
  install: 'Zur App',
  back: 'Zurück zur App',
  profileTitle: (workspace) => `Bei ${workspace} registrieren`,
  profileDescription: 'Sendet einmalig die Kennung, das Modell und die Version dieses Geräts.',
  notFound: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Öffnen Sie die Seite des Downloads noch einmal, und registrieren Sie das Gerät von dort.',
  },
}
