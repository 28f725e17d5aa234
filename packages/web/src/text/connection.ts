export const connectionText = {
  offline: 'You are offline. What you typed is kept.',
  away: 'The server cannot be reached. What you typed is kept, and the page continues when the server is back.',
  outdated: 'A new version is available.',
  kept: 'The server cannot be reached, so this page stays open with what you typed.',
}
