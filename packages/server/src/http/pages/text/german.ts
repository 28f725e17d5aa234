import { html } from '../../../lib/html.ts'
import type { VisitorText } from './english.ts'
import { germanFeedback } from './feedback-text.ts'
import { germanDevices } from './german-devices.ts'
import { germanEmails } from './german-emails.ts'
import { germanIos } from './german-ios.ts'
import { portalGerman } from './portal-german.ts'

const openFile = 'Öffnen Sie die Datei, sobald sie heruntergeladen ist.'
const windowsInstaller = [
  openFile,
  'Falls Windows den PC schützt: Wählen Sie „Weitere Informationen“, prüfen Sie den Herausgeber, und wählen Sie dann „Trotzdem ausführen“.',
  'Folgen Sie den Schritten des Installationsprogramms.',
]
const inTerminal = 'Wechseln Sie in einem Terminal in den Ordner mit der Datei.'
const openAnyway =
  'öffnen Sie die Systemeinstellungen, und wählen Sie „Datenschutz & Sicherheit“ und dann „Dennoch öffnen“.'
const withNewLink = 'Bitten Sie die Person, die ihn geteilt hat, um einen neuen Link.'

export const german: VisitorText = {
  language: 'de',
  locale: 'de-DE',
  footer: 'Geteilt mit Quayside',
  requestId: 'Anfrage-ID:',
  retry: {
    later: 'Versuchen Sie es später noch einmal.',
    seconds: (count) =>
      `Versuchen Sie es in ${count === 1 ? 'einer Sekunde' : `${count} Sekunden`} noch einmal.`,
    minutes: (count) => `Versuchen Sie es in ${count} Minuten noch einmal.`,
    hours: (count) => `Versuchen Sie es in ${count} Stunden noch einmal.`,
  },
  errors: {
    notFound: {
      title: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es nichts. Prüfen Sie, ob die Adresse vollständig ist.',
    },
    gone: {
      title: 'Nicht mehr verfügbar',
      text: () => 'Diesen Inhalt gibt es nicht mehr. Fragen Sie die Person, von der Sie die Adresse haben.',
    },
    denied: {
      title: 'Zugriff verweigert',
      text: () =>
        'Sie haben keinen Zugriff auf diesen Inhalt. Fragen Sie die Person, von der Sie die Adresse haben.',
    },
    rejected: {
      title: 'Die Anfrage wurde abgelehnt',
      text: (message) => `Der Server meldet: ${message}`,
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      text: (retry) => `Ihr Netzwerk hat zu viele Anfragen gesendet. ${retry}`,
    },
    busy: { title: 'Zurzeit nicht verfügbar', text: (retry) => `Der Dienst ist ausgelastet. ${retry}` },
    outOfSpace: {
      title: 'Zurzeit nicht verfügbar',
      text: 'Auf dem Server ist kein Speicherplatz mehr frei. Versuchen Sie es später noch einmal.',
    },
    internal: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Server konnte die Anfrage nicht ausführen. Versuchen Sie es später noch einmal.',
    },
    starting: {
      title: 'Der Dienst startet',
      text: 'Das dauert wenige Sekunden. Laden Sie die Seite gleich neu.',
    },
  },
  storage: {
    general: {
      title: 'Herunterladen nicht möglich',
      text: (message) => `Der Server meldet: ${message}`,
    },
    byCode: {
      'storage.url_expired': {
        title: 'Dieser Download ist abgelaufen',
        text: 'Gehen Sie zur Seite des Downloads zurück, und starten Sie ihn neu.',
      },
      'storage.bad_signature': {
        title: 'Dieser Link funktioniert nicht',
        text: 'Der Link ist vielleicht unvollständig. Gehen Sie zur Seite des Downloads zurück, und starten Sie ihn neu.',
      },
    },
  },
  shareLink: {
    'resource.not_found': {
      title: 'Dieser Link funktioniert nicht',
      text: 'Der Link ist vielleicht unvollständig, oder der geteilte Inhalt wurde gelöscht. Prüfen Sie, ob Sie den ganzen Link geöffnet haben, oder bitten Sie um einen neuen.',
    },
    'share_link.revoked': {
      title: 'Dieser Link wurde widerrufen',
      text: `Er wurde abgeschaltet. ${withNewLink}`,
    },
    'share_link.expired': {
      title: 'Dieser Link ist abgelaufen',
      text: `Er war nur für begrenzte Zeit gültig. ${withNewLink}`,
    },
    'share_link.used_up': {
      title: 'Keine Downloads mehr übrig',
      text: `Die Zahl der Downloads dieses Links war begrenzt. ${withNewLink}`,
    },
    'share_link.release_withdrawn': {
      title: 'Dieses Release wurde zurückgezogen',
      text: 'Es kann zurzeit nicht heruntergeladen werden. Der Link funktioniert wieder, sobald das Release erneut veröffentlicht wird.',
    },
  },
  groupLink: {
    'resource.not_found': {
      title: 'Dieser Link funktioniert nicht',
      text: 'Der Link ist vielleicht unvollständig. Prüfen Sie, ob Sie den ganzen Link aus der E-Mail geöffnet haben.',
    },
    'group_link.release_deleted': {
      title: 'Dieses Release wurde gelöscht',
      text: 'Es kann nicht mehr heruntergeladen werden. Bitten Sie die Person, die es gesendet hat, um ein anderes.',
    },
    'group_link.application_deleted': {
      title: 'Diese Anwendung wurde gelöscht',
      text: 'Ihre Releases können nicht mehr heruntergeladen werden. Bitten Sie die Person, die den Link gesendet hat, sie wiederherzustellen.',
    },
    'group_link.release_withdrawn': {
      title: 'Dieses Release wurde zurückgezogen',
      text: 'Es wird nicht mehr geteilt. Der Link funktioniert wieder, sobald das Release erneut geteilt wird.',
    },
    'group_link.not_a_member': {
      title: 'Sie sind nicht mehr in der Gruppe',
      text: 'Dieses Release wird nur mit Mitgliedern einer Gruppe geteilt. Bitten Sie die Person, die es gesendet hat, Sie wieder hinzuzufügen.',
    },
    'group_link.group_inactive': {
      title: 'Die Gruppe ist nicht aktiv',
      text: 'Dieses Release ist zurzeit nicht verfügbar. Bitten Sie die Person, die es gesendet hat, die Gruppe zu aktivieren.',
    },
  },
  portal: portalGerman,
  personalLink: 'Dieser Link ist persönlich. Bitte geben Sie ihn nicht weiter.',
  password: {
    title: 'Passwort eingeben',
    text: 'Dieser Download ist geschützt. Das Passwort nennt Ihnen die Person, die ihn geteilt hat.',
    label: 'Passwort',
    submit: 'Weiter',
    missing: 'Geben Sie das Passwort ein.',
    wrong: 'Das Passwort ist falsch. Versuchen Sie es noch einmal.',
    tooMany: (retry) => `Zu viele falsche Passwörter. ${retry}`,
  },
  download: {
    nothing: 'Zurzeit gibt es nichts herunterzuladen. Versuchen Sie es später noch einmal.',
    sharedBy: 'Geteilt von',
    expires: 'Läuft ab',
    onDate: (date) => `am ${date}`,
    withinAMinute: 'in weniger als einer Minute',
    downloadsLeft: 'Verbleibende Downloads',
    noDownloadsLeft: 'Keine Downloads mehr übrig',
    whatsNew: 'Neuigkeiten',
    download: 'Download',
    downloadFor: (platform) => `Download für ${platform}`,
    downloadFile: (filename) => `${filename} herunterladen`,
    howToInstall: 'So installieren Sie die Datei',
    files: 'Dateien',
    choosePlatform: 'Wählen Sie Ihre Plattform',
    otherFiles: 'Weitere Dateien dieses Builds',
    otherDownloads: 'Weitere Downloads',
    moreFiles: (count) => `${count} weitere Dateien`,
    onlyBundle:
      'Android-Geräte können diesen Build nicht installieren: Er ist ein App Bundle (AAB), aus dem ein App Store die APKs für jedes Gerät erzeugt. Bitten Sie die Person, die ihn geteilt hat, um eine APK.',
    otherDevice: (platform, device) =>
      `Diese Datei ist für ${platform}, und Sie verwenden ${device}. Öffnen Sie diese Seite auf dem Gerät, auf dem Sie sie installieren möchten.`,
    devices: {
      android: 'ein Android-Gerät',
      ios: 'ein iPhone oder iPad',
      windows: 'einen Windows-Computer',
      macos: 'einen Mac',
      linux: 'einen Linux-Computer',
      unknown: 'dieses Gerät',
    },
    expansionFile: (platform) => `Erweiterungsdatei für ${platform}`,
    universalApk: 'APK für alle Geräte',
  },
  ios: germanIos,
  devices: germanDevices,
  feedback: germanFeedback,
  facts: {
    requires: 'Benötigt',
    orNewer: (system) => `${system} oder neuer`,
    architectures: 'Architekturen',
    signature: 'Signatur',
    signedBy: 'Signiert von',
    signedByName: (name) => `Signiert von ${name}`,
    unverifiedName: '(Name ungeprüft)',
    unreadSignature: 'Signatur nicht geprüft',
    signatures: {
      valid: { text: 'Passt zur Datei', line: 'Signiert' },
      invalid: { text: 'Ungültig: nach dem Signieren verändert', line: 'Signatur ungültig' },
      unsigned: { text: 'Nicht signiert', line: 'Nicht signiert' },
      unknown: { text: 'Nicht geprüft', line: 'Signatur nicht geprüft' },
    },
  },
  verify: {
    title: 'Dateien und Prüfsummen',
    phoneTitle: 'Download überprüfen',
    byCommand: (output) =>
      html`Ein Befehl lädt seine Datei in den Ordner herunter, in dem Sie ihn ausführen. Um einen
      unterbrochenen Download fortzusetzen, führen Sie ihn noch einmal aus. Er endet mit ${output}, wenn die
      Datei unversehrt ist.`,
    byChecksum: 'Eine Datei ist unversehrt, wenn sie diese SHA-256-Prüfsumme hat.',
    terminal: 'Terminal',
    pending: 'Die Prüfsumme wird noch berechnet. Laden Sie die Seite in einer Minute neu.',
    counted:
      'Alle Befehle für die Dateien eines Builds zählen als ein Download, auch wenn Sie sie noch einmal ausführen.',
    limitedTime:
      'Er braucht kein Passwort, muss aber innerhalb von 15 Minuten gestartet werden. Danach erhalten Sie einen neuen, wenn Sie die Seite neu laden.',
  },
  phone: {
    title: 'Auf dem Smartphone öffnen',
    text: 'Scannen Sie den Code mit der Kamera des Geräts, auf dem Sie die App installieren möchten.',
  },
  obstacles: {
    system: (needed, current) =>
      `Dieser Build benötigt ${needed}. Auf Ihrem Gerät ist ${current}, daher lässt er sich dort nicht installieren.`,
    only32Bit:
      'Dieser Build ist nur für 32-Bit-ARM-Prozessoren. Auf neueren Geräten, die nur 64-Bit-Apps ausführen, lässt er sich nicht installieren.',
    noArm: (architectures) =>
      `Dieser Build ist nur für ${architectures}. Fast alle Smartphones haben einen ARM-Prozessor und können ihn nicht installieren.`,
    lowerVersion: (version) =>
      `Dieser Build ist älter als ${version}. Wer ${version} installiert hat, muss sie zuerst deinstallieren; dabei werden die Daten der App gelöscht.`,
    otherSigner: (version) =>
      `Dieser Build ist mit einem anderen Schlüssel signiert als ${version}. Wer ${version} installiert hat, muss sie zuerst deinstallieren; dabei werden die Daten der App gelöscht.`,
    splitPackage:
      'Diese Datei enthält mehrere APKs. Android kann sie nur mit einer Installations-App wie SAI installieren. Falls Sie keine haben, bitten Sie die Person, die sie geteilt hat, um eine universelle APK.',
  },
  install: {
    splitPackage: [
      'Öffnen Sie nach dem Herunterladen eine Installations-App für geteilte APKs, zum Beispiel SAI.',
      'Wählen Sie die Datei in der App aus, und erlauben Sie der App, unbekannte Apps zu installieren.',
      'Tippen Sie auf „Installieren“.',
    ],
    byPlatform: {
      linux: {
        appimage: [
          'Machen Sie die Datei ausführbar: in ihren Eigenschaften oder mit chmod +x.',
          'Öffnen Sie die Datei. Sie läuft ohne Installation.',
        ],
        deb: [inTerminal, 'Führen Sie sudo apt install ./ gefolgt vom Dateinamen aus.'],
        rpm: [inTerminal, 'Führen Sie sudo dnf install ./ gefolgt vom Dateinamen aus.'],
      },
      android: {
        apk: [
          openFile,
          'Ab Android 8 fragt Ihr Gerät einmal, ob der Browser unbekannte Apps installieren darf. Tippen Sie auf „Einstellungen“, erlauben Sie es für Ihren Browser (zum Beispiel Chrome), und gehen Sie zurück.',
          'Tippen Sie auf „Installieren“ oder „Aktualisieren“. Falls Play Protect fragt, installieren Sie die App nur dann trotzdem, wenn Sie dem Absender vertrauen.',
        ],
      },
      ios: {
        ipa: [
          'Öffnen Sie diese Seite auf dem iPhone oder iPad in Safari, und tippen Sie auf Installieren.',
          'Oder laden Sie die Datei auf einem Mac herunter, verbinden Sie das Gerät, und öffnen Sie Apple Configurator oder das Fenster „Devices“ von Xcode.',
          'Ziehen Sie die Datei auf das Gerät.',
        ],
      },
      macos: {
        dmg: [
          openFile,
          'Ziehen Sie das Programm in den Ordner „Programme“.',
          `Falls macOS das Programm blockiert, ${openAnyway}`,
        ],
        pkg: [
          openFile,
          'Folgen Sie den Schritten des Installationsprogramms.',
          `Falls macOS das Paket blockiert, ${openAnyway}`,
        ],
      },
      windows: {
        exe: windowsInstaller,
        msi: windowsInstaller,
        msix: [openFile, 'Wählen Sie „Installieren“.'],
      },
    },
  },
  ...germanEmails,
}
