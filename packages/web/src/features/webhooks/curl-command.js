/** Returns a command that sends a request again, with the same headers, signature and body. */
export function curlCommand({ url, request_headers: headers, request_body: body, }) {
    const lines = [
        `curl -i ${quoted(url)}`,
        ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
        `--data-raw ${quoted(body)}`,
    ];
    return lines.join(' \\\n  ');
}
/** Quotes a text for POSIX shells. */
const quoted = (text) => `'${text.replaceAll("'", String.raw `'\''`)}'`;
