// Uploads a build to a Quayside server and returns the response of `quayside upload --json` as text.
def call(Map options) {
  def variables = [
    "QUAYSIDE_SERVER=${options.server}",
    "QUAYSIDE_APPLICATION=${options.application}",
    "UPLOAD_FILE=${options.file}",
    "UPLOAD_STREAM=${options.stream ?: 'default'}",
    "UPLOAD_LABELS=${(options.labels ?: []).join(',')}",
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
        set -- upload "$UPLOAD_FILE" --stream "$UPLOAD_STREAM"
        [ -z "$UPLOAD_LABELS" ] || set -- "$@" --label "$UPLOAD_LABELS"
        node "$folder/quayside.mjs" "$@" --json
      ''').trim()
    }
  }
}
