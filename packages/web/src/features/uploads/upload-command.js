/** Returns the command that uploads a file with the same attributes. */
export function uploadCommand({ applicationId, serviceUrl, stream, upload }) {
    const words = [
        'quayside upload',
        quoted(upload?.filename ?? 'app-1.0.0.zip'),
        `--application ${applicationId}`,
        `--stream ${quoted(stream)}`,
        ...(upload?.fields.labels ?? []).map((label) => `--label ${quoted(label)}`),
        `--server ${quoted(serviceUrl)}`,
    ];
    return words.join(' ');
}
/** Quotes a word for a POSIX shell if this is necessary. */
const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith('-')
    ? word
    : `'${word.replaceAll("'", String.raw `'\''`)}'`;
