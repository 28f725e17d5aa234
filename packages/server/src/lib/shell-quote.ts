/** Returns the text as one word of a POSIX shell command. zsh expands words that begin with `=`. */
export const shellQuote = (text: string): string =>
  /^(?!=)[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
