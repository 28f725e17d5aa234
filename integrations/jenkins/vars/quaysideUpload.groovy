// Uploads a build to a Quayside server and returns the response of `quayside upload --json` as text.
def call(Map options) {
  def variables = [
    "QUAYSIDE_SERVER=${options.server}",
    "QUAYSIDE_APPLICATION=${options.application}",
    "QUAYSIDE_FILE=${options.file}",
    "QUAYSIDE_STREAM=${options.stream ?: 'default'}",
    "QUAYSIDE_LABELS=${(options.labels ?: []).join(',')}",
  ]
  def apiKey = string(credentialsId: options.credentialsId ?: 'quayside-api-key', variable: 'QUAYSIDE_API_KEY')
  withCredentials([apiKey]) {
    withEnv(variables) {
      // The shell reads the variables. A Groovy string would contain the key in plain text.
      return sh(label: 'Upload to Quayside', returnStdout: true, script: '''
        set -eu
        folder=$(mktemp -d)
        trap 'rm -rf "$folder"' EXIT
        curl -fsSL --retry 3 "${QUAYSIDE_SERVER%/}/cli/quayside.mjs" -o "$folder/quayside.mjs"
        node "$folder/quayside.mjs" ci-upload --json
      ''').trim()
    }
  }
}
