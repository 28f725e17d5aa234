/** Returns a log that records its lines for assertions. */
export function recordingLog() {
  const lines: { level: string; details: object; message: string }[] = []
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, details, message })
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } as never }
}
