/** Returns a log that stores its lines in `lines` for assertions. */
export function recordingLog() {
  const lines: { level: string; details: object; message: string }[] = []
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, details, message })
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } as never }
}
