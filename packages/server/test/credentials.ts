/** Returns the headers that authenticate a request: an API key, or a session cookie as the console sends it. */
export const credentialsOf = (key: string, url: string): Record<string, string> =>
  key.includes('.session_token=')
    ? { cookie: key, origin: new URL(url).origin }
    : { authorization: `Bearer ${key}` }
